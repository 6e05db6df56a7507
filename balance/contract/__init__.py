"""The contract of a game: the names that it must have, typed and checked, and the records that all games share."""
