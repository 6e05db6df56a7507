"""A plan played: parts to workers, here or on a Dask cluster; progress, stopping, resuming."""
