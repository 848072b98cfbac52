"""`python -m gm` is `gm`."""

from gm.cli import main

if __name__ == "__main__":  # not where the press is spawned
    main()
