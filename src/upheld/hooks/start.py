"""The way in from ``compose.hook_command``: run the hook and end the process at once, with nothing to tidy up."""

from __future__ import annotations

import gc

gc.disable()  # before the imports: the process ends with the answer, and a collection frees nothing

import os  # noqa: E402
import sys  # noqa: E402

from upheld.image import with_image  # noqa: E402


def run() -> None:
    """Answer the event that the arguments behind ``hook`` name. Never returns."""
    event = sys.argv[-1] if sys.argv[-1].replace("-", "").isalpha() else "other"
    os._exit(with_image(os.path.dirname(__file__), event, _answered))


def _answered() -> int:
    from upheld.hooks.main import main

    return main(sys.argv[2:])
