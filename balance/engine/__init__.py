"""What plays a game: the compiled loop, the stepper that is driven from outside, bots in Python."""
