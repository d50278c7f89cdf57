"""Configuration and environment are read here, once, and ports are bound to places."""
