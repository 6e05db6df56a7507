"""What is learned by playing: the values of searchers."""
