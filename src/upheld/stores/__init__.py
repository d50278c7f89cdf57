"""What implements a port: one place a file."""
