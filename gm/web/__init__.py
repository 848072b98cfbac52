"""The web application: pages for players, the Gamesmaster and readers, and the JSON API."""
