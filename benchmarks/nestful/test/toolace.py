"""The rules for ToolACE's answers (README, published behaviour 5) on Python's own `ast`: texts as JSON on stdin, readings as JSON on stdout.

What the reader documents as refused is refused here as well: lambdas, comprehensions, await, yield, `:=`, f-strings, characters by
name, bytes, complex numbers, tuples as keys, arithmetic on anything but literals, and integers of more than 16,384 bits.
"""
import ast
import json
import operator
import re
import sys
import warnings

warnings.simplefilter("ignore")
REFUSED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Await, ast.Yield, ast.YieldFrom)
REFUSED += (ast.NamedExpr, ast.JoinedStr)
BINARY = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "Pow": operator.pow}
BINARY |= {"FloorDiv": operator.floordiv, "Mod": operator.mod, "LShift": operator.lshift, "RShift": operator.rshift}
BINARY |= {"BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor, "MatMult": operator.matmul}
UNARY = {"USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert, "Not": operator.not_}


def bounded(value):
    if isinstance(value, int) and value.bit_length() > 16384:
        raise OverflowError
    return value


def compute(node):
    if isinstance(node, ast.BinOp):
        left, right, kind = compute(node.left), compute(node.right), type(node.op).__name__
        if kind == "Mod" and isinstance(left, str):
            raise TypeError
        if kind == "Pow" and isinstance(left, int) and isinstance(right, int) and left.bit_length() * right > 200000:
            raise OverflowError
        if kind == "LShift" and left != 0 and right > 16384:
            raise OverflowError
        for one, count in ((left, right), (right, left)):
            if kind == "Mult" and isinstance(one, (str, list, tuple)) and isinstance(count, int):
                if len(repr(one)) * count > 1000000:
                    raise OverflowError
        return bounded(BINARY[kind](left, right))
    if isinstance(node, ast.UnaryOp):
        return UNARY[type(node.op).__name__](compute(node.operand))
    if isinstance(node, ast.Dict):
        out = {}
        for key, item in zip(node.keys, node.values):
            item = compute(item)
            out.update({**item} if key is None else {compute(key): item})
        return out
    if isinstance(node, (ast.List, ast.Tuple)):
        return type(ast.literal_eval("[]" if isinstance(node, ast.List) else "()"))(compute(one) for one in node.elts)
    if isinstance(node, ast.Constant) and not isinstance(node.value, (bytes, complex, type(...))):
        return bounded(node.value)
    raise TypeError(node)


def scalar(key):
    assert not isinstance(key, tuple)
    return key


def argument(node):
    match node:
        case ast.Constant():
            assert not isinstance(node.value, (bytes, complex))
            return "..." if node.value is ... else node.value
        case ast.Name():
            return node.id
        case ast.UnaryOp(operand=ast.Constant(value=value)):
            return -value
        case ast.BinOp():
            return compute(node)
        case ast.List() | ast.Tuple():
            return type(compute(type(node)([], None)))(argument(one) for one in node.elts)
        case ast.Dict():
            return {scalar(argument(key)): argument(item) for key, item in zip(node.keys, node.values)}
        case ast.Subscript():
            return f"{ast.unparse(node.value)}[{ast.unparse(node.slice)}]"
        case ast.Call(keywords=[]):
            return ast.unparse(node)
        case ast.Call():
            return call(node)
    raise TypeError(node)


def call(node):
    assert isinstance(node, ast.Call)
    names, func = [], node.func
    while isinstance(func, ast.Attribute):
        names, func = [func.attr, *names], func.value
    names = [func.id, *names] if isinstance(func, ast.Name) else names
    return {"name": ".".join(names), "arguments": {one.arg: argument(one.value) for one in node.keywords}}


def reading(text):
    try:
        text = text.strip("[]'")
        assert not re.search(r"\\N\{", text)
        body = ast.parse(text, mode="eval").body
        assert not any(isinstance(node, REFUSED) for node in ast.walk(body))
        return json.dumps([call(body)] if isinstance(body, ast.Call) else [call(one) for one in body.elts])
    except (Exception, MemoryError):
        return None


json.dump([reading(text) for text in json.load(sys.stdin)], sys.stdout)
