"""What an agent's client calls at its events: one entry point, one file an event, one encoder a dialect."""
