"""Parsing mail: MIME, charsets, HTML, quotations, signatures, bounces; from the bytes to what the sender typed."""
