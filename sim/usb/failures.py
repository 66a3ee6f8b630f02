"""The errors of libusb as pyusb shows them: class, errno, libusb's own code and its sentence."""

from __future__ import annotations

import errno
from enum import Enum

from usb.core import USBError, USBTimeoutError


class Failure(Enum):
    """libusb's code, the errno it becomes, its sentence."""

    IO = (-1, errno.EIO, "Input/Output Error")
    INVALID = (-2, errno.EINVAL, "Invalid parameter")
    ACCESS = (-3, errno.EACCES, "Access denied (insufficient permissions)")
    NO_DEVICE = (-4, errno.ENODEV, "No such device (it may have been disconnected)")
    NOT_FOUND = (-5, errno.ENOENT, "Entity not found")
    BUSY = (-6, errno.EBUSY, "Resource busy")
    TIMEOUT = (-7, errno.ETIMEDOUT, "Operation timed out")
    OVERFLOW = (-8, errno.EOVERFLOW, "Overflow")
    PIPE = (-9, errno.EPIPE, "Pipe error")
    OTHER = (-99, None, "Other error")


def failed(why: Failure) -> USBError:
    """The exception to raise."""
    code, number, sentence = why.value
    kind = USBTimeoutError if why is Failure.TIMEOUT else USBError
    return kind(sentence, code, number)
