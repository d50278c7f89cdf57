"""``python -m upheld``."""

from __future__ import annotations

import sys

from upheld.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
