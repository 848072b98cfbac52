"""Export and import of campaigns: the archive as files, the public archive as a static site, import."""
