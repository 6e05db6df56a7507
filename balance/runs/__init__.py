"""Runs: play a plan into a folder (threads or Dask), stop, resume, extend, pool and verify it; Parquet and DuckDB."""
