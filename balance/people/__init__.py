"""Games that people played at a table: their records, a folder of them, and what they show next to games of bots."""
