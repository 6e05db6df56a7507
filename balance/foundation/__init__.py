"""The base of all other packages: errors, files, TOML, progress, compiled code and its cache, random streams, text."""

__version__ = "0.2.0"  # of the package
