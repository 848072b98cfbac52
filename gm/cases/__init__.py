"""Adjudicator cases: plain-text tests in Bell notation that a Gamesmaster can read and write."""
