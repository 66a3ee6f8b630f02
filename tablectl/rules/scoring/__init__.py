"""A hand told in words scored by any of the four judges: read, refused or counted, paid, in one form."""
