"""Learning by self-play: profiles, styles, and the values of searchers."""
