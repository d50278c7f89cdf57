"""Frozen values of the domain. Standard library only; nothing here reads a disk, a clock or a network."""
