"""Every command there is, declared once.

The command line, its help and completion, the JSON-RPC methods and the access list are made from this
table; a surface never lists commands of its own. What a command does is the core's; whether it may be done
now is the core's too: ``when`` only tells a reader.
"""

from __future__ import annotations

from .spec import (
    FACTS,
    MAX_CORRECTION,
    MAX_HANDS,
    MAX_HELD,
    MAX_MELDS,
    MAX_NAME,
    MAX_NUMBER,
    MAX_POINTS,
    MAX_STACKS,
    MAX_STAGES,
    MAX_TABLE_TILES,
    PLAYERS,
    SEATS,
    Arg,
    CommandSpec,
)

REASON = Arg("reason", "text")
WHY = Arg("reason", "text", required=True)
ANYWAY = Arg("anyway", "text")
SEAT = Arg("seat", "seat", required=True)
TILE = Arg("tile", "tile")
TILES = Arg("tiles", "tiles")
OPEN = Arg("open", "flag")
PLAYER = Arg("player", "choice", True, choices=PLAYERS, positional=True, help="arg.who")
ANY_PLAYER = Arg("player", "choice", choices=PLAYERS, help="arg.who")
FOUND = tuple(
    Arg(place, "choice", choices=PLAYERS, help="arg.found") for place in ("east", "south", "west", "north")
)
POINTS = tuple(
    Arg(player, "number", low=-MAX_POINTS, high=MAX_POINTS, help="arg.points") for player in PLAYERS
)
CLOCK = (
    Arg("seat", "seat", help="arg.clock_seat"),
    Arg("session", "flag", help="arg.clock_session"),
    Arg("seconds", "number", True, high=MAX_CORRECTION, help="arg.clock_seconds"),
    WHY,
    Arg("case", "number", low=1, help="arg.clock_case"),
)

CASE = Arg("case", "number", low=1, positional=True)
THE_CASE = Arg("case", "number", True, low=1, positional=True)
HOW = (
    Arg("article", "text", high=MAX_NAME, help="arg.penalty_article"),
    Arg("step", "number", low=1, high=20, help="arg.ladder_step"),
    Arg("choice", "number", low=1, high=20, help="arg.article_choice"),
    Arg("points", "number", high=MAX_POINTS, help="arg.penalty_points"),
    Arg("to", "choice", choices=PLAYERS, help="arg.damaged"),
    TILES,
    Arg("reserve", "flag"),
)

# fmt: off
COMMANDS: tuple[CommandSpec, ...] = (
    # session and hand
    CommandSpec("session start", (
        Arg("rules", "name", default="mcr"),
        *(Arg(player, "text", help="arg.player") for player in PLAYERS),
        Arg("east", "choice", default="p0", choices=PLAYERS),
        Arg("hands", "number", low=1, high=MAX_HANDS, help="arg.session_hands"),
        Arg("round", "choice", choices=SEATS),
        Arg("stages", "number", low=1, high=MAX_STAGES),
        Arg("draw", "flag"),
        Arg("official", "flag"),
        Arg("unscored", "flag"),
        Arg("event", "choice", choices=("championship", "elite")),
        Arg("event_round", "number", low=1, high=MAX_STAGES),
        Arg("event_rounds", "number", low=1, high=MAX_STAGES),
        Arg("advancing", "number", low=1, high=2),
    ), "referee", ("no_session",), sound="gong"),
    CommandSpec("session stop", (
        REASON, Arg("cancel", "flag"),
    ), "referee", ("session",), "destructive", sound="gong"),
    CommandSpec("session last-hand", (), "referee", ("session",), sound="gong"),
    CommandSpec("session extend", (
        Arg("minutes", "number", True, low=1, high=600, positional=True), WHY,
    ), "chief", ("session",)),
    CommandSpec("session machine", (
        Arg("state", "choice", True, choices=("on", "off"), positional=True), REASON,
    ), "referee", ("session",)),
    CommandSpec("break start", (
        Arg("kind", "choice", default="planned", choices=("planned", "toilet", "medical", "other"),
            help="arg.break_kind"),
        Arg("minutes", "number", low=1, high=600, help="arg.break_minutes"), REASON,
    ), "referee", ("no_hand",), sound="gong"),
    CommandSpec("break end", (), "referee", ("session",), sound="gong"),
    CommandSpec("timeout grant", (
        Arg("seat", "seat", True, positional=True),
        Arg("kind", "choice", True, choices=("toilet", "medical"), positional=True, help="arg.timeout_kind"),
        Arg("minutes", "number", low=1, high=600, help="arg.timeout_minutes"), REASON,
    ), "referee", ("hand",), sound="halt"),
    CommandSpec("timeout end", (
        Arg("seat", "seat", True, positional=True),
    ), "referee", ("hold",), sound="ready"),
    # clocks
    CommandSpec("clock set", CLOCK, "referee", ("session",)),
    CommandSpec("clock add", CLOCK, "referee", ("session",)),
    CommandSpec("clock sub", CLOCK, "referee", ("session",)),
    CommandSpec("clock watch", (
        SEAT, Arg("off", "flag", help="arg.watch_off"),
    ), "referee", ("hand",)),
    CommandSpec("rules confirm", (
        Arg("key", "text", True, high=80, positional=True), Arg("value", "text", positional=True),
        Arg("rules", "name", default="mcr"), REASON,
    ), "chief", ("no_session",)),
    # seats
    CommandSpec("seat draw", (
        Arg("by", "choice", choices=("lot", "throws", "software"), help="arg.draw_by"), *FOUND,
    ), "referee", ("session",), chance=True),
    CommandSpec("seat throw", (
        Arg("first", "number", True, low=1, high=6, positional=True, help="arg.die"),
        Arg("second", "number", True, low=1, high=6, positional=True, help="arg.die"), ANY_PLAYER,
    ), "referee", ("session",)),
    CommandSpec("seat take", (
        Arg("wind", "choice", True, choices=SEATS, positional=True), ANY_PLAYER,
    ), "referee", ("session",)),
    CommandSpec("seat contribute", (
        PLAYER, Arg("number", "number", True, high=MAX_NUMBER, positional=True),
    ), "player", ("session",)),
    CommandSpec("seat swap", (
        PLAYER, Arg("other", "choice", True, choices=PLAYERS, positional=True), WHY,
    ), "referee", ("no_hand",)),
    CommandSpec("seat move", (
        PLAYER, Arg("side", "side", True, help="arg.place"), WHY,
    ), "referee", ("no_hand",)),
    CommandSpec("seat correct", (
        Arg("hand", "number", True, low=1, high=MAX_HANDS, positional=True, help="arg.from_hand"),
        *FOUND, WHY,
    ), "referee", ("session",)),
    # people
    CommandSpec("player late", (PLAYER, REASON), "referee", ("session",)),
    CommandSpec("player arrive", (PLAYER,), "referee", ("session",)),
    CommandSpec("player withdraw", (PLAYER, WHY, Arg("mechanical", "flag")), "referee", ("session",)),
    CommandSpec("player forfeit", (PLAYER, WHY, Arg("mechanical", "flag")), "chief", ("session",)),
    CommandSpec("substitute in", (
        PLAYER, Arg("substitute", "text", True, high=MAX_NAME), Arg("person", "text", high=MAX_NAME), WHY,
    ), "referee", ("no_hand",)),
    CommandSpec("substitute out", (PLAYER, REASON), "referee", ("no_hand",)),
    # points
    CommandSpec("score enter", (
        *POINTS, Arg("hand", "number", high=MAX_HANDS, help="arg.of_hand"),
        Arg("kind", "choice", default="hand", choices=("hand", "kong", "penalty", "bank", "off_table"),
            help="arg.score_kind"),
        REASON, Arg("anyway", "text", help="arg.anyway_score"),
    ), "referee", ("session",)),
    CommandSpec("score correct", (
        Arg("entry", "number", True, low=1, positional=True), *POINTS, WHY,
        Arg("anyway", "text", help="arg.anyway_score"),
    ), "referee", ("session",)),
    CommandSpec("score count", tuple(
        Arg(player, "number", low=-MAX_POINTS, high=MAX_POINTS, help="arg.lies_before") for player in PLAYERS
    ), "referee", ("no_hand",)),
    CommandSpec("score ask", (PLAYER,), "player", ("session",)),
    CommandSpec("sign", (
        Arg("seat", "seat", True, positional=True), Arg("refuse", "text"),
        Arg("hand", "number", low=1, high=MAX_HANDS, help="arg.of_hand"),
    ), "player", ("session",)),
    # the hand
    CommandSpec("hand start", (ANYWAY,), "referee", ("no_hand",)),
    CommandSpec("hand cancel", (REASON,), "referee", ("deal",)),
    CommandSpec("walls ready", (ANYWAY,), "referee", ("no_hand", "deal")),
    CommandSpec("hand void", (WHY,), "referee", ("hand",), "two_person", sound="gong"),
    CommandSpec("hand redeal", (WHY,), "referee", ("hand",), "two_person", sound="gong"),
    CommandSpec("throw void", (WHY,), "referee", ("deal",)),
    CommandSpec("wall break", (
        Arg("side", "number", True, high=3), Arg("stack", "number", True, high=MAX_STACKS),
    ), "referee", ("deal",)),
    CommandSpec("deal done", (), "player", ("deal",)),
    CommandSpec("deal dealer", (SEAT, WHY), "referee", ("deal",)),
    CommandSpec("indicator", (TILE,), "player", ("deal", "play")),
    CommandSpec("pause", (REASON,), "referee", ("hand",), sound="halt"),
    CommandSpec("resume", (), "referee", ("hold",), sound="ready"),
    # at the seats of a table without keys
    CommandSpec("claim", (
        Arg("word", "choice", True, choices=("chow", "pung", "kong", "win"), positional=True),
        SEAT, TILES, Arg("late", "flag"),
    ), "player", ("play",), sound="call"),
    CommandSpec("draw", (
        SEAT, Arg("end", "choice", default="head", choices=("head", "tail")), TILE,
    ), "player", ("play",)),
    CommandSpec("discard", (SEAT, TILE), "player", ("play",)),
    CommandSpec("flower", (SEAT, TILE), "player", ("deal", "play")),
    CommandSpec("wait", (SEAT,), "player", ("play",)),
    CommandSpec("kong", (
        Arg("meld", "choice", True, choices=("concealed", "added", "single", "melded"), positional=True),
        SEAT, TILES,
    ), "player", ("play",)),
    # rulings
    CommandSpec("wall leave", (), "player", ("play",)),
    CommandSpec("wall correct", (
        Arg("left", "number", True, high=MAX_TABLE_TILES, positional=True), WHY,
    ), "referee", ("hand",)),
    CommandSpec("win confirm", (
        Arg("how", "choice", choices=("self_drawn", "discard", "robbed_kong")),
        Arg("overrule", "text"), Arg("no_immunity", "flag"),
    ), "referee", ("win",), sound="win"),
    CommandSpec("win show", (
        Arg("seat", "seat", True, positional=True), Arg("tiles", "tiles", True), Arg("win", "tile"),
        Arg("melds", "text"), Arg("last_of_kind", "flag", help="arg.open_three"),
    ), "referee", ("win",)),
    CommandSpec("win count", (
        Arg("seat", "seat", True, positional=True),
        Arg("points", "number", True, high=MAX_POINTS, positional=True, help="arg.win_points"),
    ), "player", ("win",)),
    CommandSpec("note", (
        Arg("fact", "choice", True, choices=FACTS, positional=True), Arg("seat", "seat"), Arg("text", "text"),
    ), "player", ("session",)),
    CommandSpec("win reject", (WHY,), "referee", ("win",)),
    CommandSpec("win cancel", (Arg("seat", "seat", True, positional=True),), "player", ("play", "win")),
    # what no sensor sees
    CommandSpec("expose", (
        Arg("seat", "seat", True, positional=True), Arg("tiles", "tiles", True),
        Arg("of", "seat", help="arg.tiles_of"),
        Arg("moment", "choice", choices=("dealing", "play", "before_confirmed"), help="arg.exposed_when"),
    ), "referee", ("hand",)),
    CommandSpec("name", (
        Arg("seat", "seat", True, positional=True), TILE, Arg("wrong", "flag", help="arg.wrong_name"),
    ), "referee", ("hand",)),
    CommandSpec("hand count", (
        Arg("seat", "seat", True, positional=True),
        Arg("tiles", "number", True, high=MAX_HELD, positional=True, help="arg.counted"),
    ), "referee", ("hand",)),
    CommandSpec("tile read", (
        Arg("seat", "seat", True, positional=True), Arg("tile", "tile", True, positional=True),
    ), "player", ("play",)),
    CommandSpec("meld wrong", (
        Arg("seat", "seat", True, positional=True),
        Arg("meld", "number", low=1, high=MAX_MELDS, help="arg.which_meld"),
        Arg("tiles", "tiles", help="arg.wrong_tiles"),
    ), "referee", ("hand",)),
    CommandSpec("hold clear", (
        Arg("hold", "text", True, positional=True), WHY,
    ), "referee", ("hold",)),
    # calls and penalties
    CommandSpec("call", (
        Arg("kind", "choice", default="rule", choices=("rule", "score", "machine", "medical", "conduct"),
            positional=True, help="arg.call_kind"),
        Arg("seat", "seat"), REASON,
    ), "player", ("session",), sound="call"),
    CommandSpec("attend", (CASE,), "referee", ("session",)),
    CommandSpec("later", (CASE,), "referee", ("session",)),
    CommandSpec("handover", (
        CASE, Arg("referee", "text", True, high=MAX_NAME, help="arg.other_referee"),
    ), "referee", ("session",)),
    CommandSpec("release", (CASE,), "referee", ("session",)),
    CommandSpec("hear", (
        CASE, Arg("seat", "seat"), Arg("statement", "text", True),
    ), "referee", ("session",)),
    CommandSpec("escalate", (CASE, WHY), "referee", ("session",)),
    CommandSpec("rule", (CASE, *HOW, REASON), "referee", ("session",), sound="ruling"),
    CommandSpec("waive", (CASE, WHY), "referee", ("session",)),
    CommandSpec("fault report", (
        Arg("fault", "name", True, positional=True, help="arg.fault_row"), Arg("seat", "seat"), REASON,
    ), "operator", ("session",)),
    CommandSpec("fault seen", (
        THE_CASE, Arg("count", "number", high=MAX_TABLE_TILES, help="arg.tiles_seen"), Arg("lost", "flag"),
    ), "operator", ("session",)),
    CommandSpec("fault decide", (
        THE_CASE,
        Arg("remedy", "choice", choices=("rebuild", "restart", "restore", "play_on", "reroll", "redeal",
            "void", "swap", "lock"), positional=True),
        WHY,
    ), "referee", ("session",), sound="ruling"),
    CommandSpec("case withdraw", (CASE, REASON), "player", ("session",)),
    CommandSpec("case merge", (
        THE_CASE, Arg("into", "number", True, low=1, positional=True),
    ), "referee", ("session",)),
    CommandSpec("case close", (THE_CASE, WHY), "referee", ("session",)),
    CommandSpec("case decide", (THE_CASE,), "referee", ("session",)),
    CommandSpec("case credit", (THE_CASE, REASON), "referee", ("session",)),
    CommandSpec("case sign", (
        THE_CASE, ANY_PLAYER, Arg("refuse", "text"),
    ), "player", ("session",)),
    CommandSpec("penalty add", (
        Arg("seat", "seat", True, positional=True), *HOW, REASON,
        Arg("anyway", "text", help="arg.anyway_penalty"),
    ), "referee", ("session",), sound="ruling"),
    CommandSpec("penalty fill", (THE_CASE, *HOW, REASON), "referee", ("session",)),
    CommandSpec("penalty cancel", (THE_CASE, WHY), "referee", ("hand",)),
    CommandSpec("ruling preview", (
        THE_CASE, *HOW, Arg("strike", "flag"), REASON,
    ), "referee", ("session",)),
    CommandSpec("ruling correct", (
        THE_CASE, *HOW, Arg("strike", "flag"), WHY,
    ), "chief", ("session",), "destructive"),
    CommandSpec("appeal open", (
        THE_CASE, Arg("player", "choice", True, choices=PLAYERS, help="arg.who"),
        Arg("jury", "number", low=1, high=15), WHY,
    ), "player", ("session",)),
    CommandSpec("appeal vote", (
        THE_CASE, Arg("ballot", "choice", True, choices=("uphold", "overturn"), positional=True),
    ), "referee", ("session",)),
    CommandSpec("appeal decide", (
        THE_CASE, Arg("outcome", "choice", True, choices=("uphold", "overturn"), positional=True),
        *HOW, WHY,
    ), "chief", ("session",)),
    # the machine
    CommandSpec("order retry", (Arg("order", "number", positional=True),), "referee", ("order",)),
    CommandSpec("machine stop", (), "anyone", undo="stop", sound="halt"),
    CommandSpec("machine home", (), "operator"),
    CommandSpec("machine build", (), "operator"),
    CommandSpec("machine raise", (), "operator"),
    CommandSpec("machine lower", (), "operator", ("no_hand",)),
    CommandSpec("machine dice", (Arg("side", "side"),), "operator"),
    CommandSpec("machine clear", (), "operator"),
    CommandSpec("machine insert", (), "operator"),
    CommandSpec("machine continue", (), "operator"),
    CommandSpec("machine purge", (), "operator"),
    CommandSpec("machine abort", (), "operator"),
    CommandSpec("machine swap", (WHY,), "chief", ("no_hand",)),
    # queries
    CommandSpec("status", (OPEN,), "anyone", query=True),
    CommandSpec("watch", (Arg("since", "number"), OPEN), "anyone", query=True),
    CommandSpec("link status", (), "anyone", query=True),
    CommandSpec("session sheet", (
        Arg("hand", "number", low=1, high=MAX_HANDS, help="arg.sheet_hand"),
        Arg("stage", "number", low=1, high=MAX_STAGES, help="arg.sheet_stage"),
    ), "anyone", query=True),
)
# fmt: on

BY_NAME: dict[str, CommandSpec] = {spec.name: spec for spec in COMMANDS}
BY_METHOD: dict[str, CommandSpec] = {spec.method: spec for spec in COMMANDS}
