"""What of a mail stands in mails of ours: quoted, and not typed."""
