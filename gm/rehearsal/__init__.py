"""Whole campaigns with random players, through the real services at accelerated time: the soak test (`gm rehearse`)."""
