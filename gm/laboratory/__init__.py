"""The laboratory: whole campaigns among stand-ins, to measure house rules and playing strength."""
