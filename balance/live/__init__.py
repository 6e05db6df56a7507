"""`balance live`: a local page with a game's rule keys as controls, and what the games say while a rule is changed."""
