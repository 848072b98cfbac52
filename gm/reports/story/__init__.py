"""Which events are news, and the words of headlines and stories."""
