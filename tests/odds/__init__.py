"""How the odds of an attack, by which Grody's profiles judge, were fitted."""
