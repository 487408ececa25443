"""What notebooks show of a report: a table, and each group of pass rates as bars with intervals."""

from __future__ import annotations

from html import escape

from .contract import types

#: Bars of one group at most; the rest is in `Report.groups`.
MAX_BARS = 30
_ROW, _LABEL, _BAR = 20, 200, 300


def report_html(result: types.ReportResult, run: types.ReportRun) -> str:
    """The whole report as HTML without scripts. Texts of models and benchmarks are escaped."""
    overall = result["overall"]
    rows = {
        "model": result["model"],
        "evaluation": run["evaluation"],
        "passed": f"{overall['passed']} of {overall['scored']}",
        "pass rate": rate_text(overall),
        "95 % interval": _interval(overall["interval"]),
        "not scored": _unscored(result["notScored"]),
        "cost": "–" if run["costUsd"] is None else f"${run['costUsd']:.4f}",
        **{f"verdict {name}": str(n) for name, n in result["verdicts"].items() if n > 0},
        **{f"root cause {name}": str(n) for name, n in result["rootCauses"].items() if n > 0},
    }
    cells = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in rows.items())
    plots = "".join(bars(group, entries) for group, entries in result["groups"].items() if entries)
    return f"<div class='stateeval-report'><table>{cells}</table>{plots}</div>"


def bars(title: str, entries: list[types.ReportResultGroupsValueItem]) -> str:
    """Pass rates as horizontal bars (SVG): the line is the 95 % interval, the darker part the bracket."""
    shown = entries[:MAX_BARS]
    body = "".join(_bar(index, entry["name"], entry["rate"]) for index, entry in enumerate(shown))
    more = f"<p>and {len(entries) - MAX_BARS} more</p>" if len(entries) > MAX_BARS else ""
    width, height = _LABEL + _BAR + 220, _ROW * len(shown)
    name = escape(title)
    return (
        f"<h4>Pass rate by {name}</h4>"
        f"<svg role='img' aria-label='Pass rate by {name}' width='{width}' height='{height}' "
        f"style='font: 12px sans-serif; fill: currentColor'>{body}</svg>{more}"
    )


def _bar(index: int, name: str, rate: types.Rate) -> str:
    middle = index * _ROW + _ROW / 2
    label = name if len(name) <= 28 else f"{name[:27]}…"
    text = f"{rate_text(rate)} ({rate['passed']}/{rate['scored']})"
    parts = [f"<title>{escape(name)}: {text}</title>"]
    parts.append(f"<text x='{_LABEL - 6}' y='{middle + 4:g}' text-anchor='end'>{escape(label)}</text>")
    parts.append(_rect(_LABEL, middle, _BAR, 0.15))
    if rate["rate"] is not None:
        parts.append(_rect(_LABEL, middle, _BAR * rate["rate"], 0.6))
    if "bracket" in rate:
        low, high = rate["bracket"]
        parts.append(_rect(_LABEL + _BAR * low, middle, _BAR * (high - low), 0.4))
    if rate["interval"] is not None:
        low, high = (_LABEL + _BAR * bound for bound in rate["interval"])
        parts.append(
            f"<line x1='{low:.1f}' x2='{high:.1f}' y1='{middle:g}' y2='{middle:g}' stroke='currentColor'/>"
        )
    parts.append(f"<text x='{_LABEL + _BAR + 6}' y='{middle + 4:g}'>{text}</text>")
    return f"<g>{''.join(parts)}</g>"


def _rect(x: float, middle: float, width: float, opacity: float) -> str:
    return (
        f"<rect x='{x:g}' y='{middle - 6:g}' width='{width:.1f}' height='12' "
        f"fill='#4477aa' fill-opacity='{opacity:g}'/>"
    )


def _unscored(samples: int) -> str:
    return f"{samples}; in brackets: the rates if they failed, and if they passed" if samples else "0"


def rate_text(rate: types.Rate) -> str:
    """A rate, and in brackets its ends if samples without a score counted as failed and as passed."""
    if "bracket" not in rate:
        return _percent(rate["rate"])
    low, high = rate["bracket"]
    return f"{_percent(rate['rate'])} [{_percent(low)}–{_percent(high)}]"


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.1%}"


def _interval(interval: list[float] | None) -> str:
    return "–" if interval is None else f"{interval[0]:.1%} to {interval[1]:.1%}"
