"""How compiled code is made, cached and keyed to its sources, and the random streams that it draws from."""
