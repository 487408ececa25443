"""Every rate of a report as one list, for tools that keep figures by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .contract import types


@dataclass(frozen=True)
class Figure:
    """A rate or a measure. `bracket`: its ends if samples without a score counted as failed, and as passed;
    None where every sample has a score."""

    kind: Literal["rate", "pass_at_k", "mutation", "group", "measure"]
    name: str
    value: float | None
    bracket: list[float] | None = None
    interval: list[float] | None = None
    samples: int | None = None

    def named(self, prefix: str = "") -> dict[str, float]:
        """The value by name, and the ends of the bracket under the same name with a suffix."""
        values = {"": self.value}
        if self.bracket is not None:
            values["_unscored_failed"], values["_unscored_passed"] = self.bracket
        return {
            f"{prefix}{self.name}{suffix}": value
            for suffix, value in values.items()
            if value is not None
        }


def figures(result: types.ReportResult) -> list[Figure]:
    """The pass rate, pass@k, the mutation score, groups, and the benchmark's measures of all samples."""
    statistics, mutation = result.get("statistics"), result.get("mutation")
    found = [_rate("rate", "pass_rate", result["overall"])]
    for entry in statistics["passAtK"] if statistics else []:
        name = f"pass_at_{entry['k']}"
        found.append(Figure("pass_at_k", name, entry["estimate"], entry.get("bracket")))
    if mutation:
        interval, bracket = mutation["interval"], mutation.get("bracket")
        found.append(Figure("mutation", "mutation_score", mutation["score"], bracket, interval))
    for group, entries in result["groups"].items():
        for one in entries:
            found.append(_rate("group", f"pass_rate/{group}/{one['name']}", one["rate"]))
    for measures in result.get("measures", []):
        if measures["group"] != "all":
            continue
        brackets = measures.get("brackets", {})
        for name, value in measures["values"].items():
            figure = Figure("measure", f"{measures['policy']}/{name}", value, brackets.get(name))
            found.append(figure)
    return found


def _rate(kind: Literal["rate", "group"], name: str, rate: types.Rate) -> Figure:
    return Figure(kind, name, rate["rate"], rate.get("bracket"), rate["interval"], rate["scored"])
