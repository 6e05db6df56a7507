"""The rows of the verdict grid that every game may have, one in each module (see `balance.report.row.Row`)."""
