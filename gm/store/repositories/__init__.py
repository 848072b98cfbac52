"""Every query of the service, by what it is about."""
