"""A report as Python values, as a data frame, and as what notebooks show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .contract import types
from .html import rate_text, report_html

if TYPE_CHECKING:
    import pandas


class Report:
    """The report of an evaluation. `result` and `run` are its JSON."""

    def __init__(self, report: types.Report) -> None:
        self.result = report["result"]
        self.run = report["run"]

    @property
    def pass_rate(self) -> float | None:
        """Passed of scored samples, 0 to 1; None where nothing was scored."""
        return self.result["overall"]["rate"]

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the pass rate."""
        interval = self.result["overall"]["interval"]
        return None if interval is None else (interval[0], interval[1])

    @property
    def bracket(self) -> tuple[float, float] | None:
        """The pass rate if all samples without a score had failed, and if all had passed.

        None where every sample has a score.
        """
        bracket = self.result["overall"].get("bracket")
        return None if bracket is None else (bracket[0], bracket[1])

    def __repr__(self) -> str:
        overall = self.result["overall"]
        return (
            f"<Report {self.run['evaluation']} of {self.result['model']}: "
            f"{overall['passed']} of {overall['scored']} passed ({rate_text(overall)}), "
            f"{self.result['notScored']} not scored>"
        )

    def _repr_html_(self) -> str:
        return report_html(self.result, self.run)

    def samples(self) -> list[dict[str, Any]]:
        """One flat record for each sample: case, sample, passed, verdict, rootCause, metric:NAME."""
        return [_sample_record(sample) for sample in self.result["samples"]]

    def groups(self) -> list[dict[str, Any]]:
        """One flat record for each group, such as an API or a length: group, name, rate, interval, bracket."""
        return [
            {"group": group, "name": entry["name"], **_rate_record(entry["rate"])}
            for group, entries in self.result["groups"].items()
            for entry in entries
        ]

    def to_frame(self) -> pandas.DataFrame:
        """`samples` as a data frame; needs pandas."""
        return _frame(self.samples())

    def groups_frame(self) -> pandas.DataFrame:
        """`groups` as a data frame; needs pandas."""
        return _frame(self.groups())


def _sample_record(sample: types.ScoredSample) -> dict[str, Any]:
    score = sample["score"]
    record: dict[str, Any] = {"case": sample["case"], "sample": sample["sample"]}
    if score is None:
        return {**record, "passed": None, "verdict": None, "notScored": sample.get("notScored")}
    cause = score["evidence"].get("rootCause")
    return {
        **record,
        "passed": score["passed"],
        "verdict": score["verdict"],
        "rootCause": cause["cause"] if cause else None,
        **{f"metric:{name}": value for name, value in score["metrics"].items()},
    }


def _rate_record(rate: types.Rate) -> dict[str, Any]:
    low, high = rate["interval"] or (None, None)
    failed, passed = rate.get("bracket") or (None, None)
    return {
        "passed": rate["passed"],
        "scored": rate["scored"],
        "rate": rate["rate"],
        "low": low,
        "high": high,
        "unscored_failed": failed,
        "unscored_passed": passed,
    }


def _frame(records: list[dict[str, Any]]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as missing:
        raise ImportError("A data frame needs pandas: pip install 'stateeval[pandas]'") from missing
    return pandas.DataFrame(records)
