"""The triggers commands, one a file."""
