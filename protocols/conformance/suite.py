"""Runs the checks on one board and collects what they say."""

from __future__ import annotations

from dataclasses import dataclass, field

from protocols.atp.requirements import Requirement, requirements
from protocols.conformance import checks  # noqa: F401 - declares them
from protocols.conformance.bench import Bench
from protocols.conformance.evidence import Broken, Evidence, NotApplicable, Result, Verdict
from protocols.conformance.identity import Who, who_of
from protocols.conformance.register import CHECKS, Check, Phase
from protocols.conformance.settings import Settings
from protocols.transports.base import Opener
from protocols.vocabulary import Capability

__all__ = ["Report", "Settings", "run_suite"]


@dataclass(slots=True)
class Report:
    """What the suite says of a board. ``timings`` are seconds, by what took them."""

    who: Who
    results: list[Result] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)

    def of(self, verdict: Verdict) -> list[Result]:
        """The results with that verdict, in the order of SPEC.md."""
        return [result for result in self.results if result.verdict is verdict]

    @property
    def passed(self) -> list[Result]:
        """What the board keeps."""
        return self.of(Verdict.PASSED)

    @property
    def failed(self) -> list[Result]:
        """What it does not keep."""
        return self.of(Verdict.FAILED)

    @property
    def not_applicable(self) -> list[Result]:
        """What nobody can say of it, and why."""
        return self.of(Verdict.NOT_APPLICABLE)


async def run_suite(opener: Opener, settings: Settings) -> Report:
    """Check the board behind ``opener``. Raises ``TransportError`` when there is none, or no longer."""
    bench = Bench(opener, settings)
    begun = bench.now()
    chosen = [one for one in requirements().values() if not settings.only or one.id in settings.only]
    plan = sorted((CHECKS[one.id] for one in chosen if one.observed), key=lambda check: check.phase)
    results = {one.id: _unobserved(one) for one in chosen if not one.observed}
    try:
        await bench.open()
        for number, check in enumerate(plan, 1):
            if check.phase > Phase.OVERTURE and bench.hello is None:
                await bench.greet()
            settings.about_to(check.requirement, number, len(plan))
            result = await _run(bench, check)
            results[check.requirement] = result
            settings.told(result)
        if bench.hello is None:
            await bench.greet()
    finally:
        bench.close()
    report = Report(who_of(bench), [results[one.id] for one in chosen])
    report.timings = {"run": bench.now() - begun, **bench.timings()}
    return report


def _unobserved(requirement: Requirement) -> Result:
    key = "na.host" if requirement.of == "host" else "na.unobserved"
    return Result(requirement.id, Verdict.NOT_APPLICABLE, Evidence(key, {"requirement": requirement.id}))


async def _run(bench: Bench, check: Check) -> Result:
    begun = bench.now()
    try:
        _allow(bench, check)
        evidence = await check.run(bench)
        verdict = Verdict.PASSED
    except Broken as broken:
        verdict, evidence = Verdict.FAILED, broken.evidence
    except NotApplicable as reason:
        verdict, evidence = Verdict.NOT_APPLICABLE, reason.evidence
    return Result(check.requirement, verdict, evidence, bench.now() - begun)


def _allow(bench: Bench, check: Check) -> None:
    """Raise ``NotApplicable`` when the check may not be run on this board or by this operator."""
    if check.phase in (Phase.ALONE, Phase.MOTION) and not bench.settings.motion:
        raise NotApplicable("no_motion")
    if check.phase is Phase.RESTART and bench.settings.restart is None:
        raise NotApplicable("no_restart")
    missing = check.needs & ~bench.capabilities
    if missing:
        names = [one.name for one in Capability if one in missing and one.name]
        raise NotApplicable("capability", capability=" ".join(names))
