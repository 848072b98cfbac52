"""The soak test (`gm rehearse`): whole campaigns with random players, through the real services, accelerated."""
