"""What an error tells: name, message, line in the candidate's code, HTTP status. Errors may be hostile."""

import builtins

__builtins__ = dict(vars(builtins))

#: How the candidate's code is called in stack traces.
FILE = "candidate.py"
FRAMES = 40


def capture(error):
    frames = _read(lambda: _frames(error)) or []
    found = {
        "name": (_text(lambda: type.__dict__["__name__"].__get__(type(error))) or "Exception")[:200],
        "message": (_text(lambda: str(error)) or "")[:4000],
    }
    if frames:
        found["line"] = frames[-1][0]
        found["stack"] = "\n".join(f'File "{FILE}", line {line}, in {name}' for line, name in frames)[-8000:]
    status = _read(lambda: _status(error))
    if status is not None:
        found["status"] = status
    return found


def capture_syntax(error):
    """An error of the compiler: of syntax, or of code that it can't take, such as code nested too deeply."""
    is_syntax = isinstance(error, SyntaxError)
    message = _text(lambda: error.msg if is_syntax else str(error)) or "the code cannot be compiled"
    if isinstance(error, (RecursionError, MemoryError)):
        message = "The code is nested too deeply"
    found = {"name": type(error).__name__ if is_syntax else "SyntaxError", "message": message[:4000]}
    if is_syntax and isinstance(error.lineno, int) and error.lineno > 0:
        found["line"] = error.lineno
    return found


def _frames(error):
    """The candidate's own frames, the innermost last."""
    found = []
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            found.append((step.tb_lineno, step.tb_frame.f_code.co_name))
        step = step.tb_next
    return found[-FRAMES:]


def _status(error):
    """requests keeps the answer in the error, urllib is its own answer."""
    response = getattr(error, "response", None)
    for holder, name in ((response, "status_code"), (error, "code"), (error, "status")):
        status = getattr(holder, name, None)
        if type(status) is int and 100 <= status <= 599:
            return status
    return None


def _text(read):
    value = _read(read)
    return value if isinstance(value, str) else None


def _read(read):
    try:
        return read()
    except BaseException:
        return None
