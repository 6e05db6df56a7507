"""Studies that play their own games to answer one question: ladders, best responses, live changes of keys."""
