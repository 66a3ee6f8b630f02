"""What all tests share: with ``--hil=PORT`` they are the conformance suite at a real port.

No example of a property has a deadline: machines are shared, and how long one takes says nothing of it.
"""

from hypothesis import settings

pytest_plugins = ["tablectl.console.hil_pytest"]

settings.register_profile("shared", deadline=None)
settings.load_profile("shared")
