"""`python -m gm` is `gm`."""

from gm.cli import main

main()
