"""The report of the conformance suite as JUnit XML, one test case a requirement, for a build server."""

from __future__ import annotations

from xml.etree import ElementTree as xml

from protocols.atp.requirements import requirements
from protocols.conformance.evidence import Verdict
from protocols.conformance.suite import Report

from .hil_words import why
from .width import clean


def junit(report: Report, port: str, lang: str) -> str:
    """The text of the file."""
    who = report.who
    suite = xml.Element(
        "testsuite",
        name="tablectl hil",
        hostname=clean(port),
        tests=str(len(report.results)),
        failures=str(len(report.failed)),
        errors="0",
        skipped=str(len(report.not_applicable)),
        time=f"{report.timings.get('run', 0.0):.3f}",
    )
    properties = xml.SubElement(suite, "properties")
    for name in ("vendor", "model", "serial", "firmware", "firmware_hash"):
        xml.SubElement(properties, "property", name=name, value=clean(getattr(who, name)))
    for result in report.results:
        case = xml.SubElement(
            suite,
            "testcase",
            classname=clean(f"{who.vendor}.{who.model}") or "board",
            name=f"{result.requirement} {requirements()[result.requirement].said(lang)}",
            time=f"{result.seconds:.3f}",
        )
        said = why(result, lang)
        if result.verdict is Verdict.FAILED:
            xml.SubElement(case, "failure", message=said, type=result.evidence.key).text = said
        elif result.verdict is Verdict.NOT_APPLICABLE:
            xml.SubElement(case, "skipped", message=said)
        else:
            xml.SubElement(case, "system-out").text = said
    xml.indent(suite)
    return xml.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
