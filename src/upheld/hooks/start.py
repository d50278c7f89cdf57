"""The way in from ``compose.hook_command``: run the hook and end the process at once, with nothing to tidy up."""

from __future__ import annotations

import os
import sys

from upheld.hooks.main import main


def run() -> None:
    """Answer the event that the arguments behind ``hook`` name. Never returns."""
    os._exit(main(sys.argv[2:]))
