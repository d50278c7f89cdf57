"""One verb a file: what a command, a tool and a library call do alike."""
