"""`python -m webdyno`: the same as the launcher's command line."""

from webdyno.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
