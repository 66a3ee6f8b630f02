"""One list of calls to a USB backend, and what comes of each: made of the simulated one and of real libusb.

``bench`` is where a call is made and its outcome kept, ``lists`` the calls, ``compare`` what is said of two
outcomes that differ, ``record`` what real libusb did when it was last asked.
"""
