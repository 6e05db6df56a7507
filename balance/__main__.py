"""The command `balance`, and `python -m balance`."""

from __future__ import annotations

import gc
import signal
import sys

from balance.cli.stopping import STOPPED, listen


def main() -> None:
    """Call the command line."""
    listen()
    gc.set_threshold(100_000)  # imports make many objects, all of which stay
    try:
        from balance.cli.commands import main as call

        call(prog_name="balance")
    except KeyboardInterrupt:
        sys.stderr.write("Error: stopped\n")
        sys.exit(STOPPED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # while Python ends it would print where it was
        gc.freeze()  # while Python ends it would search all objects for cycles


if __name__ == "__main__":
    main()
