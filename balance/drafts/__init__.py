"""Files to start from: a variant, deck, strategy, experiment or bot of one's own, with what may be said in it."""
