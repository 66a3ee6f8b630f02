"""A guest with a real Linux kernel: what a virtual USB device looks like to the daemon's own drivers.

QEMU boots a stock Debian kernel by software emulation. The guest has no disk: it sees this computer's files,
read-only, and runs the same Python. Its USB is real as far as the kernel is concerned.
"""
