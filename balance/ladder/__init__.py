"""Who is how strong: strategies set side by side, from games played for it."""
