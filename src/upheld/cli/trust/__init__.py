"""The trust commands, one a file."""
