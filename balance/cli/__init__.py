"""The command line: options, printing and progress over the library; it holds no logic."""
