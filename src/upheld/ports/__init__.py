"""Protocols of what the services need from outside: clock, store, trusted state, keyring, encoder."""
