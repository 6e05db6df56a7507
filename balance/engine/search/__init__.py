"""The searcher: a tree over the decisions of a round, in the compiled loop (see docs/searchers.md)."""
