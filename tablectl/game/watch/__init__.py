"""What the table sees by itself of things that should not be, and what a ruling bars a seat from.

Each room looks at one kind of thing. What it finds is an irregularity of the record, never a refusal of a
fact; what it bars is the request of a seat. What either costs is the business of the penalty catalogue.
"""
