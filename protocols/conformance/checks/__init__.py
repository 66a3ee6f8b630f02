"""The checks, a module a chapter of SPEC.md. Importing this declares them all."""

from protocols.conformance.checks import (
    bodies,
    events,
    greeting,
    lifesigns,
    motion,
    orders,
    orphans,
    overture,
    questions,
    receiving,
    restart,
    review,
    silence,
    snapshot,
    stop,
    walls,
)

__all__ = [
    "bodies",
    "events",
    "greeting",
    "lifesigns",
    "motion",
    "orders",
    "orphans",
    "overture",
    "questions",
    "receiving",
    "restart",
    "review",
    "silence",
    "snapshot",
    "stop",
    "walls",
]
