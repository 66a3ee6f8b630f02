"""Sub-commands that are not the API's: each is a room of its own, loaded by name when it is called.

A target is ``module:function``; the function takes the parsed arguments and returns the exit code.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.api.spec import MAX_HANDS, MAX_STAGES, SEATS, Arg, Spec

SPEEDS = ("1", "10", "max")
SHELLS = ("bash", "zsh")
BAUDS = ("9600", "19200", "38400", "57600", "115200", "230400", "460800", "921600")
PRESETS = ("perfect", "new", "clubhouse", "tired", "hostile", "chaos")
AT_ENDPOINTS = ("wire", "usb", "tcp", "lines", "panel")
FIGURES = (*AT_ENDPOINTS, "act", "event", "frame", "session", "judged", "idle", "replay", "score")
NOTATIONS = ("mpsz", "cases-z", "mahjonggb", "zungjung")
SHEETS = ("text", "json", "csv", "pdf")
PULSES = ("flash", "momentary", "switch")
FIDELITY = Arg("fidelity", "choice", choices=("count", "identity"))
SEED = Arg("seed", "number", default=1)
MAX_SPEED = 1000
MAX_JOBS = 256
FILE = Arg("file", "path", True, positional=True)
HOUSE = Arg("rules", "paths", help="arg.rules_files")
RULESET = Arg("id", "path", True, positional=True, help="arg.ruleset")


@dataclass(frozen=True, slots=True)
class LocalSpec(Spec):
    """A sub-command and where it lives."""

    target: str = ""


LOCAL: tuple[LocalSpec, ...] = (
    LocalSpec(
        "run",
        (
            Arg("config", "path"),
            Arg("port", "path"),
            Arg("state_dir", "path"),
        ),
        "tablectl.console.run:main",
    ),
    LocalSpec(
        "demo",
        (
            Arg("rules", "name", default="mcr"),
            Arg("hands", "number", low=1, high=100_000),
            Arg("session", "flag", help="arg.whole_session"),
            Arg("incidents", "flag"),
            SEED,
            Arg("speed", "choice", choices=SPEEDS),
            FIDELITY,
            Arg("open", "flag"),
            Arg("script", "path"),
            Arg("line", "number", low=1),
        ),
        "tablectl.rehearsal.demo:main",
    ),
    LocalSpec(
        "sim serve",
        (
            Arg("endpoint", "path", True),
            SEED,
            Arg("speed", "number", default=1, low=1, high=MAX_SPEED),
            Arg("preset", "choice", default="perfect", choices=PRESETS),
            FIDELITY,
            Arg("rules", "name", help="arg.table_rules"),
            Arg("tiles", "choice", choices=("144", "136"), help="arg.tile_count"),
            Arg("script", "path"),
            Arg("line", "number", low=1),
            Arg("control", "path"),
            Arg("keypad", "path", help="arg.keypad_endpoint"),
            Arg("wiring", "path", help="arg.wiring_out"),
        ),
        "tablectl.rehearsal.serve:main",
    ),
    LocalSpec(
        "decode",
        (
            Arg("source", "path", True, positional=True),
            Arg("open", "flag", help="arg.open_wire"),
            Arg("baud", "choice", default="115200", choices=BAUDS),
        ),
        "tablectl.console.decode:main",
    ),
    LocalSpec(
        "devices",
        (
            Arg("hello", "flag", help="arg.devices_hello"),
            Arg("watch", "flag", help="arg.devices_watch"),
            Arg("port", "path"),
            Arg("config", "path"),
            Arg("state_dir", "path"),
        ),
        "tablectl.console.devices:main",
    ),
    LocalSpec(
        "install",
        (
            Arg("user", "name", help="arg.install_user"),
            Arg("root", "path", help="arg.install_root"),
            Arg("dry_run", "flag"),
            Arg("uninstall", "flag"),
        ),
        "tablectl.console.install:main",
    ),
    LocalSpec(
        "doctor",
        (
            Arg("port", "path"),
            Arg("config", "path"),
            Arg("state_dir", "path"),
        ),
        "tablectl.console.doctor:main",
    ),
    LocalSpec(
        "hil",
        (
            Arg("port", "path", positional=True, help="arg.hil_port"),
            Arg("no_motion", "flag", help="arg.hil_no_motion"),
            Arg("yes", "flag", help="arg.hil_yes"),
            Arg("junit", "path", help="arg.hil_junit"),
            Arg("report", "path", help="arg.hil_report"),
            Arg("only", "text", help="arg.hil_only"),
            Arg("power_cycle", "flag", help="arg.hil_power_cycle"),
            Arg("baud", "choice", default="115200", choices=BAUDS),
        ),
        "tablectl.console.hil:main",
    ),
    LocalSpec(
        "panel learn",
        (
            Arg("file", "path", True, positional=True, help="arg.wiring"),
            Arg("port", "path", True),
            Arg("baud", "choice", default="9600", choices=BAUDS),
            Arg("unit", "number", default=1, low=1, high=247, help="arg.modbus_unit"),
            Arg("relays", "number", default=8, low=1, high=64, help="arg.relays"),
            Arg("inputs", "number", default=8, low=1, high=64, help="arg.inputs"),
            Arg("pulse", "choice", default="flash", choices=PULSES, help="arg.pulse"),
            Arg("tiles", "choice", default="144", choices=("144", "136"), help="arg.tile_count"),
        ),
        "tablectl.console.panel:learn",
    ),
    LocalSpec(
        "campaign",
        (
            Arg("seeds", "name", default="1..20"),
            Arg("preset", "choice", default="chaos", choices=PRESETS),
            Arg("rules", "name", default="mcr"),
            Arg("hands", "number", low=1, high=MAX_HANDS, help="arg.campaign_hands"),
            FIDELITY,
            Arg("jobs", "number", low=1, high=MAX_JOBS),
            Arg("script", "path", help="arg.fault_script"),
        ),
        "tablectl.rehearsal.campaign:main",
    ),
    LocalSpec(
        "sim fault",
        (
            Arg("fault", "text", True, positional=True),
            Arg("control", "path", True),
        ),
        "tablectl.rehearsal.control:main",
    ),
    LocalSpec(
        "record",
        (
            Arg("port", "path", True, positional=True),
            Arg("file", "path", True, positional=True, help="arg.capture"),
            Arg("endpoint", "path", True),
            Arg("baud", "number", default=115200, low=1),
        ),
        "tablectl.rehearsal.wiretap:record",
    ),
    LocalSpec(
        "replay",
        (
            Arg("file", "path", True, positional=True, help="arg.capture"),
            Arg("endpoint", "path", True),
            Arg("speed", "number", default=1, low=1, high=MAX_SPEED),
        ),
        "tablectl.rehearsal.wiretap:replay",
    ),
    LocalSpec(
        "cases",
        (Arg("case", "number", low=1, positional=True, help="arg.case_sheet"),),
        "tablectl.console.cases:main",
    ),
    LocalSpec("journal show", (FILE, Arg("open", "flag")), "tablectl.console.journal:show"),
    LocalSpec("journal verify", (FILE,), "tablectl.console.journal:verify"),
    LocalSpec("journal replay", (FILE, HOUSE), "tablectl.console.journal:replay"),
    LocalSpec("journal repair", (FILE,), "tablectl.console.journal:repair"),
    LocalSpec("journal cases", (FILE, HOUSE), "tablectl.console.journal:cases"),
    LocalSpec("rules list", (), "tablectl.console.rules:list_"),
    LocalSpec(
        "rules show",
        (RULESET, Arg("provisional", "flag", help="arg.provisional_only")),
        "tablectl.console.rules:show",
    ),
    LocalSpec(
        "rules diff",
        (
            Arg("left", "path", True, positional=True, help="arg.ruleset"),
            Arg("right", "path", True, positional=True, help="arg.ruleset"),
        ),
        "tablectl.console.rules:diff",
    ),
    LocalSpec(
        "rules check",
        (Arg("file", "path", True, positional=True, help="arg.rules_file"),),
        "tablectl.console.rules:check",
    ),
    LocalSpec(
        "rules article",
        (Arg("id", "name", True, positional=True, help="arg.article"),),
        "tablectl.console.rules:article",
    ),
    LocalSpec(
        "rules offences",
        (RULESET, Arg("text", "text", positional=True, help="arg.symptom")),
        "tablectl.console.rule_offences:offences",
    ),
    LocalSpec(
        "score",
        (
            Arg("tiles", "text", positional=True, help="arg.score_tiles"),
            Arg("rules", "name", help="arg.ruleset"),
            Arg("win", "text", help="arg.score_win"),
            Arg("seat", "seat", default="E", help="arg.score_seat"),
            Arg("round", "seat", default="E", help="arg.score_round"),
            Arg("from", "seat", help="arg.score_from"),
            Arg("flowers", "number", high=8, help="arg.score_flowers"),
            Arg("self_draw", "flag"),
            Arg("last_of_kind", "flag"),
            Arg("wall_last", "flag"),
            Arg("kong", "flag", help="arg.score_kong"),
            Arg("heaven", "flag"),
            Arg("earth", "flag"),
            Arg("mixed", "flag"),
            Arg("flower_win", "flag"),
            Arg("liable", "choice", choices=(*SEATS, "none")),
            Arg("hung", "text"),
            Arg("chips", "text"),
            Arg("doubled", "flag"),
            Arg("indicator", "text"),
            Arg("laizi", "text"),
            Arg("laid", "text"),
            Arg("not_ready", "flag"),
            Arg("notation", "choice", choices=NOTATIONS),
            Arg("setting", "text"),
            Arg("explain", "flag"),
            Arg("batch", "path"),
        ),
        "tablectl.console.score:main",
    ),
    LocalSpec(
        "sheet",
        (
            Arg("journal", "path", positional=True, help="arg.sheet_source"),
            Arg("hand", "number", low=1, high=MAX_HANDS, help="arg.sheet_hand"),
            Arg("stage", "number", low=1, high=MAX_STAGES, help="arg.sheet_stage"),
            Arg("format", "choice", default="text", choices=SHEETS, help="arg.sheet_format"),
            Arg("out", "path", help="arg.sheet_out", short="-o"),
            HOUSE,
            Arg("lang", "choice", choices=("both", "zh", "en"), help="arg.sheet_lang"),
        ),
        "tablectl.console.sheet.command:main",
    ),
    LocalSpec("bench", (Arg("only", "choice", choices=FIGURES),), "tablectl.rehearsal.bench:main"),
    LocalSpec(
        "completion",
        (Arg("shell", "choice", True, choices=SHELLS, positional=True),),
        "tablectl.console.completion:main",
    ),
)
