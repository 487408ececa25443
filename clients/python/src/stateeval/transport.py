"""Sends requests to one service, with the standard library alone."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import ServiceError, Unreachable

#: How often a request is repeated where a service is busy, and the longest pause before it, in seconds.
BUSY_TRIES = 5
LONGEST_PAUSE = 5.0


def quote(value: str) -> str:
    """A value as one segment of a path."""
    return urllib.parse.quote(value, safe="")


@dataclass(frozen=True)
class ServerEvent:
    """One server-sent event. `data` is its text, mostly JSON."""

    event: str
    data: str


class Transport:
    """The address of a service and the key that requests carry.

    base_url: such as http://127.0.0.1:7400.
    key: an API key or a token; none where the service asks for none.
    timeout: seconds without a byte of the answer after which a request fails.
    """

    def __init__(self, base_url: str, *, key: str | None = None, timeout: float = 120) -> None:
        address = urllib.parse.urlsplit(base_url)
        if address.scheme not in ("http", "https") or address.username or address.password:
            raise ValueError(
                "base_url must be an address such as https://stateeval.example.com, without a user "
                "or a password; pass the API key as key"
            )
        self.base_url = base_url.rstrip("/")
        self.timeout = timeout
        self._key = key

    def __repr__(self) -> str:
        return f"Transport({self.base_url!r})"

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: object = None,
    ) -> Any:
        """The body of the answer: JSON as values, text as str, anything else as bytes.

        A busy service is asked again, but only where the request can't take effect twice: POST is
        repeated with an idempotency key only.
        """
        repeatable = method != "POST" or bool((headers or {}).get("idempotency-key"))
        for tries in range(BUSY_TRIES + 1):
            request = self._request(method, path, query or {}, headers or {}, body)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    return _value(response.headers.get_content_type(), response.read())
            except urllib.error.HTTPError as refused:
                pause = _pause(refused, repeatable)
                problem = _problem(refused)
                if pause is None or tries == BUSY_TRIES:
                    raise ServiceError(problem) from None
                time.sleep(pause)
            except (OSError, http.client.HTTPException) as cause:
                raise self._unreachable(cause) from cause
        raise AssertionError("unreachable: the last try returns or raises")

    def send_only(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: object = None,
    ) -> None:
        """The same, where the answer has no body."""
        self.send(method, path, query=query, headers=headers, body=body)

    def events(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Iterator[ServerEvent]:
        """Server-sent events as they come, until the service ends the stream."""
        accept = {"accept": "text/event-stream", **(headers or {})}
        request = self._request(method, path, query or {}, accept, None)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                yield from _events(line.decode() for line in response)
        except urllib.error.HTTPError as refused:
            raise ServiceError(_problem(refused)) from None
        except (OSError, http.client.HTTPException) as cause:
            raise self._unreachable(cause) from cause

    def _request(
        self,
        method: str,
        path: str,
        query: Mapping[str, object],
        headers: Mapping[str, str | None],
        body: object,
    ) -> urllib.request.Request:
        given = {name: _text(value) for name, value in query.items() if value is not None}
        search = f"?{urllib.parse.urlencode(given)}" if given else ""
        request = urllib.request.Request(self.base_url + path + search, method=method)
        request.add_header("accept", "application/json, application/problem+json, */*;q=0.5")
        request.add_header("user-agent", "stateeval-python/0.1.0")
        if self._key:
            # Not passed on where the service redirects to another address.
            request.add_unredirected_header("authorization", f"Bearer {self._key}")
        for name, value in headers.items():
            if value is not None:
                request.add_header(name, value)
        if body is not None:
            request.add_header("content-type", "application/json")
            request.data = json.dumps(body, allow_nan=False).encode()
        return request

    def _unreachable(self, cause: Exception) -> Unreachable:
        reason = getattr(cause, "reason", None) or cause
        return Unreachable(
            f"No complete answer from {self.base_url} ({reason}). "
            "Start the suite with `npx stateeval up`, or check the address."
        )


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _value(content_type: str, data: bytes) -> Any:
    if content_type == "application/json":
        return json.loads(data)
    if content_type == "application/jsonl" or content_type.startswith("text/"):
        return data.decode() or None
    return data or None


def _problem(refused: urllib.error.HTTPError) -> dict[str, Any]:
    try:
        text = refused.read().decode(errors="replace")
        problem = json.loads(text)
        # A proxy in the service's place may answer with JSON of its own.
        if isinstance(problem, dict) and isinstance(problem.get("status"), int):
            return problem
    except (OSError, http.client.HTTPException, ValueError):
        text = ""
    return {"title": str(refused.reason), "status": refused.code, "detail": text[:500] or f"HTTP {refused.code}"}


def _pause(refused: urllib.error.HTTPError, repeatable: bool) -> float | None:
    """Seconds until the request may be repeated; None where it may not be."""
    after = refused.headers.get("retry-after")
    seconds = float(after) if after and after.isdigit() else None
    if refused.code == 429 and seconds is not None and seconds <= LONGEST_PAUSE:
        return seconds
    if refused.code == 503 and after is not None and repeatable:
        return min(1.0 if seconds is None else seconds, LONGEST_PAUSE)
    return None


def _events(lines: Iterator[str]) -> Iterator[ServerEvent]:
    event, data = "message", list[str]()
    for line in lines:
        name, _, value = line.rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            event = value
        elif name == "data":
            data.append(value)
        elif name == "" and value == "":
            if data:
                yield ServerEvent(event, "\n".join(data))
            event, data = "message", []
