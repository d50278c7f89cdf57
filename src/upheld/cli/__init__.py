"""Commands, one a file. main looks at argv and keeps recall off the command framework."""
