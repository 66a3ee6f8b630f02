"""The link to one device: who it is, whether it is there, and in words why it is not."""
