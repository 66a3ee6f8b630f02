"""The eyes of the judge: which patterns are there, the smaller within the greater too."""
