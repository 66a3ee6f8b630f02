"""The data files packed with the rules: the only reading this package does."""

from __future__ import annotations

from importlib import resources

RULESETS = (
    "mcr/ruleset.toml",
    "mcr/noflowers.toml",
    "zungjung/ruleset.toml",
    "ccm/ruleset.toml",
    "ccm/four_by_four.toml",
    "ccm/four_by_two.toml",
    "wuhan/ruleset.toml",
)
ARTICLES = "articles.toml"


def read(name: str) -> str:
    """The text of a data file, by its path below this folder."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
