"""The checks of `gm verify`, each of one matter."""
