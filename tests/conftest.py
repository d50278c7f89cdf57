"""Hypothesis never fails a test for being slow: machines differ, and a law does not.

``HYPOTHESIS_PROFILE=thorough`` looks twenty times as long for an exception.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("upheld", deadline=None, print_blob=True)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "upheld"))
