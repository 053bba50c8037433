"""`python -m noughts` is the command."""

from noughts.cli import main

if __name__ == "__main__":
    main()
