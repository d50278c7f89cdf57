"""The wire formats that the clients speak, one a file: a request is read into a `Turn`, a `Reply` is written for it."""
