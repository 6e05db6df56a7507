"""The messages of the source and their catalogues."""
