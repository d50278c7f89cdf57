"""The clients, one a file: which packages, how it is started, and how its model is asked to act."""
