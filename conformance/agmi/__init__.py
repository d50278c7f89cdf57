"""Upheld under the agent memory integrity suite."""
