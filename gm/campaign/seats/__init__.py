"""The people of a campaign: who holds which seat, proposals between them, what they typed and have not sent."""
