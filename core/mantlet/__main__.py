"""`python -m mantlet` is the `mantlet` command."""

from mantlet.cli import main

if __name__ == "__main__":
    main()
