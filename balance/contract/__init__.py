"""What a game must bring, typed and checked, and what the records of every game share."""
