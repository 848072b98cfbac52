"""The Bell's renderings: text, HTML, JSON, calendar entry, pictures."""
