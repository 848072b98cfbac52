"""Commands of the service: `gm serve`, `worker`, `demo`, `mail`, `doctor`, `backup`, `rehearse`."""
