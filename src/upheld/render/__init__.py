"""One output format a file. Every renderer escapes what a text could forge."""
