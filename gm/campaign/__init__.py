"""The state of campaigns and everything that changes it. What mail, web and commands call owns its transaction."""
