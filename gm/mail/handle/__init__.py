"""Processing received mail: what its sender asks for, carrying it out, the answer."""
