"""Bytes to values and back: strict JSON, record, index, SSHSIG. Parsed once, at the door."""
