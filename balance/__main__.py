"""The command `balance`, and `python -m balance`."""

from __future__ import annotations

import signal
import sys

from balance.cli.stopping import STOPPED, listen


def main() -> None:
    """Call the command line."""
    listen()
    try:
        from balance.cli.commands import main as call

        call(prog_name="balance")
    except KeyboardInterrupt:
        sys.stderr.write("Error: stopped\n")
        sys.exit(STOPPED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # while Python ends it would print where it was


if __name__ == "__main__":
    main()
