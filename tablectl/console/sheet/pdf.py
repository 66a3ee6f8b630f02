"""A page as PDF (A4): the same parts as on a terminal, four boxes to sign in, the head hash as QR code.

ReportLab is the extra ``sheet``, loaded only here. No font is shipped: Latin letters are Helvetica, Chinese
is the reader's own Song face (``STSong-Light``, a CID font every PDF reader knows). What neither can show, as
an emoji in a name, is a box. The same sheet is the same bytes, whenever and wherever it is printed.
"""

from __future__ import annotations

import io
from functools import cache
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.platypus import KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table

from tablectl.console.sheet.page import Page
from tablectl.console.sheet.parts import Boxes, Grid, Heading, Line, Part
from tablectl.console.width import cells, clean

LATIN, CHINESE, MISSING = "Helvetica", "STSong-Light", "□"
MINUS, DASH = "−", "–"  # Helvetica has no minus sign
MARGIN, QR, BOX = 15 * mm, 26 * mm, 20 * mm
SIZE = {1: 14.0, 2: 10.5, 0: 8.5}  # points of type: titles, and everything else
WIDEST = 40  # cells of a column that may take what is left of the line
GREY, THIN = 0.6, 0.4
SIDE, EM = 4.0, 0.58  # points beside a cell's text; how wide a character is in its size


def pdf(page: Page) -> bytes:
    """The file."""
    registerFont(UnicodeCIDFont(CHINESE))
    stream = io.BytesIO()
    document = SimpleDocTemplate(
        stream,
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=page.title,
        invariant=1,
    )

    def foot(canvas: Any, _: Any) -> None:
        canvas.setFont(LATIN, SIZE[0] - 1)
        canvas.setFillGray(GREY / 2)
        canvas.drawString(MARGIN, MARGIN / 2, page.head)
        canvas.drawRightString(A4[0] - MARGIN, MARGIN / 2, str(canvas.getPageNumber()))

    flow = _top(page, document.width) + _flow(page.parts[page.top :], document.width)
    document.build(flow, onFirstPage=foot, onLaterPages=foot)
    return stream.getvalue()


def _top(page: Page, width: float) -> list[Any]:
    """What stands above the first hand, the QR code of the head beside it."""
    code = QrCodeWidget(page.head, barWidth=QR, barHeight=QR)
    drawing = Drawing(QR, QR)
    drawing.add(code)
    said = _flow(page.parts[: page.top], width - QR - 4 * mm)
    return [Table([[said, drawing]], colWidths=[width - QR, QR], style=[("VALIGN", (0, 0), (-1, -1), "TOP")])]


def _flow(parts: tuple[Part, ...], width: float) -> list[Any]:
    """Headings, lines and tables; a heading never stands alone at the foot of a page."""
    flow: list[Any] = []
    for part in parts:
        match part:
            case Heading(text, level):
                flow += [Spacer(0, 2 * mm), Paragraph(markup(text), _style(level, keepWithNext=1))]
            case Line(text, deep):
                flow.append(Paragraph(markup(text), _style(0, leftIndent=4 * mm if deep else 0)))
            case Grid():
                flow.append(_table(part, width))
            case Boxes(names):
                flow.append(KeepTogether([Spacer(0, 4 * mm), _boxes(names, width)]))
    return flow


def _table(grid: Grid, width: float) -> Table:
    """A grid whose columns are as wide as what is in them, as far as the page goes."""
    rows = [grid.head, *grid.rows]
    wanted = [
        min(WIDEST, max(cells(row[at]) for row in rows)) * SIZE[0] * EM + 2 * SIDE + 1
        for at in range(len(grid.align))
    ]
    shrink = min(1.0, width / sum(wanted))
    drawn = [
        [Paragraph(markup(cell), _style(0, alignment=2 if way == ">" else 0))
         for cell, way in zip(row, grid.align, strict=True)]
        for row in rows
    ]  # fmt: skip
    style = [
        ("LINEBELOW", (0, 0), (-1, 0), THIN, (GREY, GREY, GREY)),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), SIDE),
        ("RIGHTPADDING", (0, 0), (-1, -1), SIDE),
        ("TOPPADDING", (0, 0), (-1, -1), 0.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 0.5),
    ]
    widths = [column * shrink for column in wanted]
    return Table(drawn, colWidths=widths, style=style, hAlign="LEFT", repeatRows=1)


def _boxes(names: tuple[str, ...], width: float) -> Table:
    """Where the players sign by hand."""
    row = [Paragraph(markup(name), _style(0)) for name in names]
    style: list[Any] = [("BOX", (at, 0), (at, 0), THIN, (0, 0, 0)) for at in range(len(row))]
    style.append(("VALIGN", (0, 0), (-1, -1), "TOP"))
    return Table([row], colWidths=[width / len(row)] * len(row), rowHeights=[BOX], style=style)


def markup(text: str) -> str:
    """A text for a paragraph: each run of characters in the face that has them, nothing of it a command."""
    runs = groupby(clean(text).replace(MINUS, DASH), key=_face)
    written = ""
    for face, run in runs:
        said = escape("".join(run)) if face else MISSING
        written += said if face in (LATIN, "") else f'<font name="{CHINESE}">{said}</font>'
    return written


@cache
def _face(char: str) -> str:
    """The face that can show a character; "" if none can."""
    for face, code in ((LATIN, "cp1252"), (CHINESE, "gbk")):
        try:
            char.encode(code)
        except UnicodeEncodeError:
            continue
        return face
    return ""


@cache
def _style(level: int, **more: Any) -> ParagraphStyle:
    size = SIZE[level]
    return ParagraphStyle(
        f"{level}{more}", fontName=LATIN, fontSize=size, leading=size * 1.3, wordWrap="CJK", **more
    )
