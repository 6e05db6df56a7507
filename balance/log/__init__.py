"""What a run leaves on disk: rows, Parquet parts, `run.json`, and SQL over them."""
