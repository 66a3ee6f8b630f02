"""A USB bus made of software: devices behind a backend that pyusb takes for libusb."""
