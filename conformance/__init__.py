"""Cases that any implementation can run, and adapters of public suites. See README.md."""
