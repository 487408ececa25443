/**
 * Ordinary Python programs, as models write them, with their endings: any sandbox must report the same at
 * any level. They run with `variables` in the world of fakes.ts that has `world`.
 */
import type { JsonValue } from '@stateeval/contracts'

export type ExpectedEnd =
  | { result: JsonValue }
  | { noResult: RegExp }
  | { threw: { name?: string; message?: string | RegExp; line?: number; status?: number } }
  | { refused: 'syntax' | 'no_code'; name?: string; line?: number }

export interface OrdinaryProgram {
  name: string
  code: string
  end: ExpectedEnd
  /** All that it prints, where that matters. */
  output?: string
  /** `METHOD path status` of each request, where that matters. */
  requests?: string[]
}

export const variables = {
  user_variable_0: { name: 'a', tags: ['x', 'y'] },
  user_constant_0: 1,
  user_constant_1: 'Jürgen',
}
export const world = {
  '/x': { n: 1 },
  '/items': [
    { id: '1', data: { title: 'One' } },
    { id: '2', data: { title: 'Two' } },
  ],
}

const program = (
  name: string,
  code: string,
  end: ExpectedEnd,
  more: Partial<OrdinaryProgram> = {},
): OrdinaryProgram => ({
  name,
  code,
  end,
  ...more,
})
const gives = (name: string, code: string, result: JsonValue, more?: Partial<OrdinaryProgram>) =>
  program(name, code, { result }, more)
const noResult = (name: string, code: string, reason: RegExp) => program(name, code, { noResult: reason })
const throws = (name: string, code: string, threw: Extract<ExpectedEnd, { threw: unknown }>['threw']) =>
  program(name, code, { threw })
const refused = (name: string, code: string, reason: 'syntax' | 'no_code', more = {}) =>
  program(name, code, { refused: reason, ...more })

const requests = [
  gives(
    'a request',
    'import requests\n\nresponse = requests.get(f"{BASE_URL}/x")\nresponse.raise_for_status()\nRESULT = {"n": response.json()["n"]}',
    { n: 1 },
    { requests: ['GET /x 200'] },
  ),
  gives(
    'all methods',
    `import requests
created = requests.post(f"{BASE_URL}/y", json={"name": user_variable_0["name"]}).json()
requests.put(f"{BASE_URL}/x", json={"n": 2}).raise_for_status()
requests.delete(f"{BASE_URL}/items").raise_for_status()
RESULT = {"id": created["id"], "n": requests.get(f"{BASE_URL}/x").json()["n"]}`,
    { id: '/y/0', n: 2 },
    { requests: ['POST /y 201', 'PUT /x 200', 'DELETE /items 200', 'GET /x 200'] },
  ),
  gives(
    'query parameters',
    'import requests\nr = requests.get(f"{BASE_URL}/q", params={"field": "data.title", "value": "a b&c", "n": None})\nRESULT = r.request.path_url',
    '/q?field=data.title&value=a+b%26c',
  ),
  gives(
    'a session',
    'import requests\nwith requests.Session() as session:\n    session.headers.update({"X-A": "1"})\n    RESULT = [session.get(BASE_URL + "/x").json()["n"] for _ in range(3)]',
    [1, 1, 1],
  ),
  gives(
    'a helper',
    'import requests\n\ndef get(path, **params):\n    response = requests.get(f"{BASE_URL}{path}", params=params, timeout=10)\n    response.raise_for_status()\n    return response.json()\n\nRESULT = get("/x")',
    { n: 1 },
  ),
  gives(
    'a class',
    'import requests\n\nclass Client:\n    def __init__(self, base_url: str) -> None:\n        self.base_url = base_url\n\n    def list(self) -> list[dict]:\n        return requests.get(self.base_url + "/items").json()\n\nclient = Client(BASE_URL)\nRESULT = {"titles": [item["data"]["title"] for item in client.list()]}',
    { titles: ['One', 'Two'] },
  ),
  gives(
    'a caught HTTP error',
    'import requests\ntry:\n    requests.get(BASE_URL + "/none").raise_for_status()\nexcept requests.exceptions.HTTPError as error:\n    RESULT = error.response.status_code',
    404,
  ),
  gives(
    'status and text',
    'import requests\nr = requests.get(BASE_URL + "/none")\nRESULT = [r.status_code, r.ok, r.text, r.headers["content-type"]]',
    [404, false, '{"error":"not found"}', 'application/json'],
  ),
  gives(
    'text that isn’t ASCII',
    'import requests\nrequests.put(BASE_URL + "/z", json={"name": user_constant_1, "b": "\\u2603 🧬"})\nRESULT = requests.get(BASE_URL + "/z").json()',
    { name: 'Jürgen', b: '☃ 🧬' },
  ),
  gives(
    'a body as text',
    'import json, requests\nr = requests.post(BASE_URL + "/a", data=json.dumps({"a": 1}), headers={"Content-Type": "application/json"})\nRESULT = r.status_code',
    201,
  ),
  gives(
    'several at once',
    'import requests\nfrom concurrent.futures import ThreadPoolExecutor\n\ndef get(_):\n    return requests.get(BASE_URL + "/x").json()["n"]\n\nwith ThreadPoolExecutor(max_workers=4) as pool:\n    RESULT = sum(pool.map(get, range(8)))',
    8,
  ),
  gives(
    'urllib',
    'import json\nfrom urllib.request import Request, urlopen\nrequest = Request(BASE_URL + "/x", data=json.dumps({"n": 5}).encode(), method="PUT")\nwith urlopen(request) as response:\n    RESULT = json.load(response)',
    { n: 5 },
  ),
  gives(
    'http.client',
    'from http.client import HTTPConnection\nimport json\nfrom urllib.parse import urlparse\nconnection = HTTPConnection(urlparse(BASE_URL).netloc)\nconnection.request("GET", "/x")\nRESULT = json.loads(connection.getresponse().read())',
    { n: 1 },
  ),
  gives(
    'localhost by its name',
    'import requests\nRESULT = requests.get(BASE_URL.replace("127.0.0.1", "localhost") + "/x").json()',
    {
      n: 1,
    },
  ),
  gives(
    'the environment',
    'import os\nRESULT = os.environ["BASE_URL"] == BASE_URL and os.getenv("NOTHING") is None',
    true,
  ),
  gives(
    'if and else',
    'import requests\nitems = requests.get(f"{BASE_URL}/items").json()\nif len(items) == user_constant_0:\n    RESULT = {"then": True}\nelse:\n    RESULT = {"otherwise": items[-1]["id"]}',
    { otherwise: '2' },
  ),
  gives(
    'an edit',
    'import requests\nitem = requests.get(f"{BASE_URL}/items").json()[0]\nitem["data"]["title"] = item["data"]["title"].upper()\ndel item["id"]\nRESULT = item',
    { data: { title: 'ONE' } },
  ),
]

const wherever = [
  gives('at the top', 'RESULT = 1', 1),
  gives('with a type', 'RESULT: int = 1', 1),
  gives('in a block', 'for n in range(3):\n    if n == 1:\n        RESULT = n', 1),
  gives(
    'in a try',
    'try:\n    raise ValueError\nexcept ValueError:\n    RESULT = 1\nfinally:\n    done = True',
    1,
  ),
  gives(
    'in a with',
    'from contextlib import suppress\nwith suppress(KeyError):\n    RESULT = 1\n    {}["a"]',
    1,
  ),
  gives('of a main', 'def main():\n    return {"a": 1}\n\nif __name__ == "__main__":\n    RESULT = main()', {
    a: 1,
  }),
  gives(
    'global in a main',
    'def main():\n    global RESULT\n    RESULT = 1\n\nif __name__ == "__main__":\n    main()',
    1,
  ),
  gives(
    'declared first',
    'RESULT = None\n\ndef main():\n    global RESULT\n    RESULT = {"a": 1}\n\nmain()',
    { a: 1 },
  ),
  gives(
    'by asyncio',
    'import asyncio\n\nasync def main():\n    await asyncio.sleep(0.01)\n    return await asyncio.gather(one(1), one(2))\n\nasync def one(n):\n    return n\n\nRESULT = asyncio.run(main())',
    [1, 2],
  ),
  gives(
    'by a thread',
    'import threading, time\n\ndef work():\n    global RESULT\n    time.sleep(0.05)\n    RESULT = 1\n\nthreading.Thread(target=work).start()',
    1,
  ),
  gives('by globals()', 'globals()["RESULT"] = 1', 1),
  gives('a walrus', 'if (RESULT := 1) > 0:\n    pass', 1),
  gives('a pattern', 'RESULT, rest = (1, 2)', 1),
  gives('in steps', 'RESULT = {}\nRESULT["a"] = 1\nRESULT.update(b=2)', { a: 1, b: 2 }),
  gives('before an exit', 'import sys\nRESULT = 1\nsys.exit(3)', 1),
  gives('before exit()', 'RESULT = 1\nexit()', 1),
  gives(
    'after a signal to exit that is caught',
    'import sys\ntry:\n    sys.exit(1)\nexcept SystemExit:\n    RESULT = 1',
    1,
  ),
  gives('null', 'RESULT = None', null),
  gives('a variable redefined', 'user_variable_0 = {"name": "b"}\nRESULT = user_variable_0["name"]', 'b'),
  gives('a builtin’s name reused', 'list = [1]\nid = "a"\nRESULT = {"list": list, "id": id}', {
    list: [1],
    id: 'a',
  }),
  gives(
    'a hashbang, an encoding and a doc',
    '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n"""What it does."""\nfrom __future__ import annotations\nRESULT = __doc__',
    'What it does.',
  ),
  gives('a mark of byte order and Windows lines', '\ufeffa = 1\r\nif a:\r\n    RESULT = a\r\n', 1),
  gives('tabs', 'if True:\n\tRESULT = 1', 1),
  gives('at exit', 'import atexit\n\n@atexit.register\ndef end():\n    global RESULT\n    RESULT = 1', 1),
]

const library = [
  gives(
    'the standard library',
    'import base64, collections, copy, csv, datetime, decimal, enum, functools, hashlib, io, itertools, json, logging, math, operator, os, pathlib, pprint, random, re, statistics, string, sys, textwrap, time, traceback, typing, uuid, urllib.parse, zlib, zoneinfo, sqlite3, xml.etree.ElementTree\nRESULT = True',
    true,
  ),
  gives(
    'dataclasses and enums',
    'from dataclasses import dataclass, asdict, field\nfrom enum import Enum, IntEnum\n\nclass Kind(str, Enum):\n    A = "a"\n\nclass N(IntEnum):\n    ONE = 1\n\n@dataclass\nclass Item:\n    kind: Kind\n    tags: list = field(default_factory=list)\n\nRESULT = [asdict(Item(Kind.A)), N.ONE]',
    [{ kind: 'a', tags: [] }, 1],
  ),
  gives(
    'named tuples, default dicts, counters',
    'from collections import namedtuple, defaultdict, Counter, OrderedDict\nP = namedtuple("P", "x y")\nd = defaultdict(list)\nd["a"].append(1)\nRESULT = [P(1, 2), d, Counter("aab"), OrderedDict(b=1)]',
    [[1, 2], { a: [1] }, { a: 2, b: 1 }, { b: 1 }],
  ),
  gives(
    'dates as text',
    'from datetime import datetime, timezone\nRESULT = datetime.fromtimestamp(0, timezone.utc).isoformat()',
    '1970-01-01T00:00:00+00:00',
  ),
  gives('local time', 'import time\nRESULT = time.strftime("%H:%M", time.localtime(0))', '00:00'),
  gives(
    'JSON by its module',
    'import json\nRESULT = json.loads(json.dumps({"a": [1, 2.5, None, True, "é"]}))',
    {
      a: [1, 2.5, null, true, 'é'],
    },
  ),
  gives('sorted sets', 'RESULT = sorted({"b", "a"} | set("c"))', ['a', 'b', 'c']),
  gives('comprehensions', 'RESULT = {k: [v for v in range(n)] for n, k in enumerate("ab", 1)}', {
    a: [0],
    b: [0, 1],
  }),
  gives(
    'match',
    'import sys\nRESULT = "a"\nif sys.version_info >= (3, 10):\n    exec("match user_variable_0:\\n    case {\'name\': name}:\\n        RESULT = name")',
    'a',
  ),
  gives('numbers', 'RESULT = [10 ** 15, -0.0, 1e22, 0.1 + 0.2, 7 // 2, True]', [
    1e15,
    0,
    1e22,
    0.30000000000000004,
    3,
    true,
  ]),
  gives('keys that are integers', 'RESULT = {1: "a", -2: "b"}', { '1': 'a', '-2': 'b' }),
  gives(
    'files in the temporary folder',
    'import os, pathlib, tempfile\nwith tempfile.NamedTemporaryFile("w+", suffix=".json") as file:\n    file.write("x")\n    file.seek(0)\n    a = file.read()\nopen("b.txt", "w").write("y")\nRESULT = [a, pathlib.Path("b.txt").read_text()]\nos.remove("b.txt")',
    ['x', 'y'],
  ),
  gives(
    'sqlite in memory',
    'import sqlite3\ndb = sqlite3.connect(":memory:")\ndb.execute("create table t (a)")\ndb.execute("insert into t values (1)")\nRESULT = db.execute("select a from t").fetchall()',
    [[1]],
  ),
  gives(
    'pickled objects of the program',
    'import pickle\n\nclass A:\n    n = 1\n\nRESULT = pickle.loads(pickle.dumps(A())).n',
    1,
  ),
  gives(
    'introspection',
    'import inspect\n\ndef f():\n    return 1\n\nRESULT = inspect.getsource(f)',
    'def f():\n    return 1\n',
  ),
  gives(
    'the same random numbers',
    'import random\nfirst = random.random()\nrandom.seed(0)\nRESULT = random.random() == first',
    true,
  ),
  gives(
    'no arguments',
    'import argparse, sys\nRESULT = [argparse.ArgumentParser().parse_args() is not None, len(sys.argv), __name__]',
    [true, 1, '__main__'],
  ),
  gives('regular expressions', 'import re\nRESULT = re.findall(r"\\d+", "a1b22")', ['1', '22']),
  gives('recursion', 'def f(n):\n    return 1 if n == 0 else f(n - 1) + 1\n\nRESULT = f(900)', 901),
  gives(
    'a deep recursion that is caught',
    'def f():\n    return f()\n\ntry:\n    f()\nexcept RecursionError as error:\n    RESULT = type(error).__name__',
    'RecursionError',
  ),
]

const printPrograms = [
  gives(
    'print',
    'import sys\nprint("a", 1, sep="-")\nprint("é", end="")\nprint("error", file=sys.stderr)\nRESULT = 1',
    1,
    {
      output: 'a-1\néerror\n',
    },
  ),
  gives(
    'logging',
    'import logging\nlogging.basicConfig(level=logging.INFO, format="%(message)s")\nlogging.info("a %d", 1)\nRESULT = 1',
    1,
    { output: 'a 1\n' },
  ),
  gives('pprint', 'from pprint import pprint\npprint({"b": 1, "a": [1]})\nRESULT = 1', 1, {
    output: "{'a': [1], 'b': 1}\n",
  }),
  gives('an exit with a text', 'import sys\nRESULT = 1\nsys.exit("done")', 1, { output: 'done\n' }),
  gives(
    'stdout captured',
    'import io\nfrom contextlib import redirect_stdout\nwith redirect_stdout(io.StringIO()) as text:\n    print("a")\nRESULT = text.getvalue()',
    'a\n',
    { output: '' },
  ),
  gives(
    'raw bytes',
    'import os, sys\nsys.stdout.buffer.write(b"a\\n")\nos.write(1, b"b\\n")\nRESULT = 1',
    1,
    { output: 'a\nb\n' },
  ),
  gives(
    'an error in a thread',
    'import threading\n\ndef work():\n    raise ValueError("in a thread")\n\nthread = threading.Thread(target=work)\nthread.start()\nthread.join()\nRESULT = 1',
    1,
  ),
]

const none = [
  noResult('nothing', 'a = 1', /never set/),
  noResult('a name in lower case', 'result = {"a": 1}', /never set/),
  noResult('a local name', 'def main():\n    RESULT = 1\n\nmain()', /never set/),
  noResult('deleted', 'RESULT = 1\ndel RESULT', /never set/),
  noResult('an early exit', 'import sys\nsys.exit(0)\nRESULT = 1', /not set when the code ended/),
  noResult('quit', 'quit()', /not set when the code ended/),
  noResult('a set', 'RESULT = {"a": {1, 2}}', /RESULT\.a is of type set/),
  noResult('bytes', 'RESULT = [b"a"]', /RESULT\[0\] is of type bytes/),
  noResult(
    'a response',
    'import requests\nRESULT = requests.get(BASE_URL + "/x")',
    /RESULT is of type requests\.Response/,
  ),
  noResult('an object', 'class Item:\n    pass\nRESULT = {"item": Item()}', /RESULT\.item is of type Item/),
  noResult('a function', 'RESULT = lambda: 1', /RESULT is of type function/),
  noResult(
    'a date',
    'import datetime\nRESULT = {"at": datetime.date(2020, 1, 1)}',
    /RESULT\.at is of type datetime\.date/,
  ),
  noResult('a generator', 'RESULT = (n for n in [1])', /of type generator/),
  noResult('keys of a dict', 'RESULT = {"a": 1}.keys()', /of type dict_keys/),
  noResult('a coroutine', 'async def main():\n    return 1\nRESULT = main()', /of type coroutine/),
  noResult('a decimal', 'from decimal import Decimal\nRESULT = Decimal(1)', /decimal\.Decimal/),
  noResult('NaN', 'RESULT = {"a": [{"b": float("nan")}]}', /RESULT\.a\[0\]\.b is NaN/),
  noResult('infinity', 'RESULT = -float("inf")', /RESULT is -Infinity/),
  noResult('an endless integer', 'RESULT = 10 ** 400', /integer of \d+ bits/),
  noResult('a key that is a tuple', 'RESULT = {(1, 2): 3}', /key of type tuple/),
  noResult('a key that is true', 'RESULT = {True: 3}', /key of type bool/),
  noResult('keys that become the same', 'RESULT = {1: "a", "1": "b"}', /key 1 twice/),
  noResult('a key that sets prototypes', 'RESULT = {"__proto__": {"a": 1}}', /__proto__/),
  noResult('a circle', 'RESULT = {}\nRESULT["self"] = RESULT', /circular/),
  noResult(
    'one level too many',
    'RESULT = []\nfor _ in range(64):\n    RESULT = [RESULT]',
    /more than 64 levels/,
  ),
  noResult(
    'an integer that would be rounded',
    'RESULT = {"n": 2**53 + 1}',
    /RESULT\.n is an integer of 54 bits/,
  ),
  noResult('depth', 'RESULT = []\nfor _ in range(5000):\n    RESULT = [RESULT]', /nested/),
]

const errors = [
  throws('a raise', '\n\nraise TypeError("bad")', { name: 'TypeError', message: 'bad', line: 3 }),
  throws('in a function', 'def f():\n    return undefined_name\n\nRESULT = f()', {
    name: 'NameError',
    line: 2,
  }),
  throws('in a library', 'import json\nRESULT = json.loads("{")', { name: 'JSONDecodeError', line: 2 }),
  throws('a missing key', 'RESULT = user_variable_0["none"]', {
    name: 'KeyError',
    message: "'none'",
    line: 1,
  }),
  throws('an index', 'RESULT = [][0]', { name: 'IndexError', message: 'list index out of range', line: 1 }),
  throws('an HTTP status', 'import requests\n\nrequests.get(BASE_URL + "/none").raise_for_status()', {
    name: 'HTTPError',
    message: /404 Client Error/,
    line: 3,
    status: 404,
  }),
  throws('an HTTP status of urllib', 'from urllib.request import urlopen\nurlopen(BASE_URL + "/none")', {
    name: 'HTTPError',
    line: 2,
    status: 404,
  }),
  throws('no JSON', 'import requests\nRESULT = requests.delete(BASE_URL + "/x").json()["a"]', {
    name: 'TypeError',
    line: 2,
  }),
  throws('nothing that can be reached', 'import requests\nrequests.get("http://127.0.0.1:1/", timeout=3)', {
    name: 'ConnectionError',
    line: 2,
  }),
  throws('after RESULT', 'RESULT = 1\nassert RESULT == 2, "late"', {
    name: 'AssertionError',
    message: 'late',
    line: 2,
  }),
  throws('a module that isn’t there', 'RESULT = 1\nimport yaml', {
    name: 'ModuleNotFoundError',
    message: "No module named 'yaml'",
    line: 2,
  }),
  throws(
    'in a coroutine',
    'import asyncio\n\nasync def main():\n    raise RuntimeError("no")\n\nasyncio.run(main())',
    {
      name: 'RuntimeError',
      line: 4,
    },
  ),
  throws(
    'an error of its own',
    'class Missing(Exception):\n    pass\n\nraise Missing("m") from ValueError("v")',
    {
      name: 'Missing',
      message: 'm',
      line: 4,
    },
  ),
  throws('without a message', 'raise ValueError', { name: 'ValueError', message: '', line: 1 }),
  throws('an endless recursion', 'def f():\n    return f()\n\nf()', { name: 'RecursionError', line: 2 }),
  throws('input', 'name = input("? ")', { name: 'EOFError', line: 1 }),
  throws('writing where it may not', 'open("/python/x", "w")', { name: 'OSError' }),
  throws('arguments', 'import requests\nrequests.get()', { name: 'TypeError', line: 2 }),
]

const noPrograms = [
  refused('syntax', 'a = 1\nb = = 2', 'syntax', { name: 'SyntaxError', line: 2 }),
  refused('indentation', 'def f():\nreturn 1', 'syntax', { name: 'IndentationError', line: 2 }),
  refused('another language', 'const axios = require("axios");\nRESULT = 1;', 'syntax', { line: 1 }),
  refused('await at the top', 'import asyncio\nawait asyncio.sleep(0)', 'syntax', { line: 2 }),
  refused('return at the top', 'RESULT = 1\nreturn RESULT', 'syntax', { line: 2 }),
  refused('an open bracket', 'RESULT = {"a": [1, 2}', 'syntax', { line: 1 }),
  refused('an open text', 'RESULT = "abc\n', 'syntax', { line: 1 }),
  refused('Python 2', 'print "a"', 'syntax', { line: 1 }),
  refused('depth', '['.repeat(10_000), 'syntax'),
  refused('a zero byte', 'RESULT = 1\0', 'syntax'),
  refused('nothing', '', 'no_code'),
  refused('white space', ' \n\t', 'no_code'),
  refused('comments', '# RESULT = 1\n  # no\n', 'no_code'),
]

export const pythonPrograms: Readonly<Record<string, readonly OrdinaryProgram[]>> = {
  'requests to the world': requests,
  'RESULT wherever it is set': wherever,
  'what Python brings': library,
  'what is printed': printPrograms,
  'what is no result': none,
  'errors tell where and why': errors,
  'what is no program': noPrograms,
}
