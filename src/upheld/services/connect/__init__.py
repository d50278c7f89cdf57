"""Settings of agents' clients: what ``connect`` puts into which file, and how a file is edited. Text in, text out."""
