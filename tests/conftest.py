"""What all tests share: with ``--hil=PORT`` they are the conformance suite at a real port."""

pytest_plugins = ["tablectl.console.hil_pytest"]
