"""Seals, trust root and trusted state as pure rules: bytes and values in, findings out."""
