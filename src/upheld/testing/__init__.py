"""Public test doubles: an in-memory store and builders of small stores."""
