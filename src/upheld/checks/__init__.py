"""Verification: values in, findings out. No clock, no disk, no network."""
