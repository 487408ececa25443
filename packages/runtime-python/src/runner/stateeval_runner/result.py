"""RESULT as JSON text, or why it is none. Runs beside candidate code, so what it relies on is its own."""

import builtins

__builtins__ = dict(vars(builtins))

from json.encoder import c_make_encoder, encode_basestring, encode_basestring_ascii  # noqa: E402
from math import isfinite  # noqa: E402

#: RESULT may be nested this deep: deeper values overflow recursive readers and what databases keep.
DEPTH = 64
#: Integers up to here are numbers elsewhere, too; beyond, only some are, and others would be rounded silently.
EXACT = 2**53
#: Integers beyond are read as infinite elsewhere.
GREATEST = int(1.7976931348623157e308)



def _encoder(text):
    """Of plain values; without the module around it, of which candidates may have changed anything."""
    # markers, default, encoder, indent, key_separator, item_separator, sort_keys, skipkeys, allow_nan
    encode = c_make_encoder(None, None, text, None, ":", ",", False, False, False)
    return lambda value: "".join(encode(value, 0))


_encode, _encode_ascii = _encoder(encode_basestring), _encoder(encode_basestring_ascii)


class NoResult(Exception):
    pass


class Oversize(Exception):
    pass


def to_text(value):
    """UTF-8. Half a character, which UTF-8 can't say, is escaped, as everywhere in JSON."""
    try:
        return _encode(value).encode("utf-8")
    except UnicodeEncodeError:
        return _encode_ascii(value).encode("ascii")


def result_text(value, limit):
    """
    The outcome's bytes. As the json module sees values, except that nothing is changed silently: NaN and infinities,
    keys that are no text or integer, keys that become the same text, objects, sets and bytes are no result.
    """
    text = to_text(_Plain(limit).of(value, "RESULT", 0))
    if len(text) > limit:
        raise Oversize
    return b'{"status":"completed","result":' + text + b"}"


def call_text(value, limit):
    """Arguments of a call: what RESULT may be."""
    text = to_text(_Plain(limit, "The value").of(value, "The value", 0))
    if len(text) > limit:
        raise Oversize
    return text


class _Plain:
    """A copy in exact types. Stops once there is more than the limit can hold: a small value may contain itself often."""

    def __init__(self, limit, root="RESULT"):
        self._left, self._root = limit, root
        self._inside = set()

    def of(self, value, path, depth):
        kind = type(value)
        self._left -= 1
        if self._left < 0:
            raise Oversize
        if value is None or kind is bool:
            return value
        if issubclass(kind, str):
            self._left -= len(value) if kind is str else 0
            return str.__str__(value)
        if issubclass(kind, int):
            number = int.__add__(value, 0)
            if abs(number) > EXACT and (abs(number) > GREATEST or int(float(number)) != number):
                raise NoResult(f"{path} is an integer of {number.bit_length()} bits, which no JSON number holds exactly")
            return number
        if issubclass(kind, float):
            number = float.__add__(value, 0.0)
            if not isfinite(number):
                name = "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"
                raise NoResult(f"{path} is {name}, which JSON cannot represent")
            return number
        if issubclass(kind, (list, tuple)):
            return self._container(value, path, depth, self._items)
        if issubclass(kind, dict):
            return self._container(value, path, depth, self._entries)
        raise NoResult(f"{path} is {_described(kind)}")

    def _container(self, value, path, depth, copy):
        if depth >= DEPTH or id(value) in self._inside:
            circle = id(value) in self._inside
            raise NoResult(f"{path} contains itself: it is circular" if circle else f"{self._root} is nested more than {DEPTH} levels deep")
        self._inside.add(id(value))
        plain = copy(value, path[:300], depth + 1)
        self._inside.discard(id(value))
        return plain

    def _items(self, value, path, depth):
        items = (list if isinstance(value, list) else tuple).__iter__(value)
        return [self.of(item, f"{path}[{at}]", depth) for at, item in enumerate(items)]

    def _entries(self, value, path, depth):
        plain = {}
        for key, item in list(dict.items(value)):
            name = self._key(key, path)
            if name in plain:
                raise NoResult(f"{path} has the key {name} twice, as a text and as an integer")
            plain[name] = self.of(item, f"{path}.{name}", depth)
        return plain

    def _key(self, key, path):
        kind = type(key)
        if issubclass(kind, str):
            name = str.__str__(key)
        elif issubclass(kind, int) and kind is not bool:
            name = int.__repr__(key)
        else:
            raise NoResult(f"{path} has a key of type {_name(kind)}; keys are texts")
        self._left -= len(name)
        if name == "__proto__":
            raise NoResult(f"{path}.__proto__: a key of that name cannot be kept")
        return name


def _described(kind):
    name = _name(kind)
    if name.partition(".")[0] in ("numpy", "torch"):
        return f"of type {name}, which JSON cannot represent: convert it first, with .item() or .tolist()"
    return f"of type {name}, which JSON cannot represent"


def _name(kind):
    """The name of a type, whatever its own class says; with its module for types of libraries."""
    name = type.__dict__["__name__"].__get__(kind)
    module = type.__dict__["__module__"].__get__(kind)
    return name if module in ("builtins", "__main__") or not isinstance(module, str) else f"{module.partition('.')[0]}.{name}"
