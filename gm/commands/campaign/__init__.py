"""Commands for campaigns: `gm campaign`, `submit`, `bell`, `archive`, `export`, `import`, `verify`."""
