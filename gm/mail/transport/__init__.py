"""Mail transport: SMTP/LMTP listener, IMAP, SMTP client, composing messages."""
