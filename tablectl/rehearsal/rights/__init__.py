"""What an installation's udev rules make of a board on a real kernel, in a guest: names, rights, a daemon."""
