"""What plays: uniform random, greedy profiles (compiled), and classes in the user's own files."""
