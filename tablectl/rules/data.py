"""The data files packed with the rules: the only reading this package does."""

from __future__ import annotations

from importlib import resources

RULESETS = (
    "mcr/ruleset.toml",
    "mcr/noflowers.toml",
    "mcr/ema.toml",
    "zungjung/ruleset.toml",
    "ccm/ruleset.toml",
    "ccm/four_by_four.toml",
    "ccm/four_by_two.toml",
    "wuhan/ruleset.toml",
)
# What a packed ruleset says besides, nearest first: catalogues of penalties are pages of their own.
PARTS = {
    "mcr": ("mcr/offences.toml", "machine.toml"),
    "zungjung": ("zungjung/offences.toml", "machine.toml"),
    "ccm": ("ccm/offences.toml", "machine.toml"),
    "wuhan": ("wuhan/offences.toml", "mcr/offences.toml", "machine.toml"),
}
ARTICLES = "articles.toml"


def read(name: str) -> str:
    """The text of a data file, by its path below this folder."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
