"""Real agent clients, pinned, against a scripted model on loopback: what arrives of a sealed memory, and what does not.

``python -m acceptance`` runs it; ``make acceptance`` makes the environment first. Nothing of the package imports this.
"""
