"""`python -m balance`."""

from balance.cli.commands import main

if __name__ == "__main__":
    main(prog_name="balance")
