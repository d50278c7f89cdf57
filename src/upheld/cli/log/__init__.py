"""The log commands, one a file."""
