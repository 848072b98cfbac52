"""The same things for programs: JSON over HTTP, described by OpenAPI."""
