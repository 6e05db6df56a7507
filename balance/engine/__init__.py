"""The engine that plays games: the compiled loop, the stepper for single steps, and Python bots."""
