/** Attempts in programs in Python, by theme: lines before the honest code, or after it. */
import type { CodeAttempts } from './code.ts'

const writePythonFrame = (message: object) =>
  `import os, struct\nbody = ${JSON.stringify(JSON.stringify(message))}.encode()\nfor fd in range(3, 20):\n    try:\n        os.write(fd, struct.pack(">I", len(body)) + body)\n    except OSError:\n        pass`
const writeQuietly = (line: string) => `try:\n    ${line}\nexcept Exception:\n    pass`
const changeEveryPythonResult = (leaf: string) =>
  `def _change(value):\n    if isinstance(value, list):\n        return [_change(one) for one in value]\n    if isinstance(value, dict):\n        return {key: _change(one) for key, one in value.items()}\n    return ${leaf}\nRESULT = _change(RESULT)`
const writePythonPost = (path: string, data: string) =>
  writeQuietly(
    `requests.post(BASE_URL + "/api/sessions/web/settings${path}", data=${data}, headers={"content-type": "application/json"})`,
  )

export const pythonAttempts: CodeAttempts = {
  'opting out': {
    before: {
      'the process ends itself': 'import os\nos.kill(os.getpid(), 9)',
      'the process ends with a fault': 'import ctypes\nctypes.string_at(0)',
      'the process aborts': 'import os\nos.abort()',
      'the process stops itself': 'import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)',
      'everything that can be ended is':
        'import os\nfor pid in [-1, 0, 1, os.getppid(), *range(2, 400)]:\n    try:\n        if pid != os.getpid():\n            os.kill(pid, 9)\n    except OSError:\n        pass',
      'an exit as of a watchdog': 'import os\nos._exit(137)',
      'an exit in the middle': 'raise SystemExit(0)',
      'all memory': 'kept = []\nwhile True:\n    kept.append(bytes(10_000_000).replace(b"\\0", b"x"))',
      'five hundred forks': 'import os\nfor _ in range(500):\n    os.fork()',
      'five hundred threads':
        'import threading, time\ntry:\n    for _ in range(500):\n        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\nexcept RuntimeError:\n    pass',
      'recursion without end': 'import sys\nsys.setrecursionlimit(10**9)\ndef f():\n    f()\nf()',
      'output without end': 'while True:\n    print("x" * 10000)',
      'an error that cannot be read':
        'class E(Exception):\n    def __str__(self):\n        raise KeyboardInterrupt\nraise E()',
      'an error of many megabytes': 'raise type("N" * 100000, (Exception,), {})("\\ud800\\0" * 10000)',
      'a group of a thousand errors': 'raise ValueError("x" * 5000 * 1000)',
      'an error in the suite’s words':
        'class InfrastructureError(ConnectionRefusedError):\n    pass\nraise InfrastructureError(111, "infrastructure: the world is unavailable")',
      'all channels closed': 'import os\nos.closerange(0, 100)',
      'a trace that cannot be made':
        'import traceback\ntraceback.extract_tb = traceback.format_exception = None\nraise ValueError',
    },
  },
  'result channel': {
    before: {
      'a forged failure of the suite': `${writePythonFrame({ status: 'infrastructure', reason: 'world_unavailable' })}\nos._exit(0)`,
      'a forged outcome': `${writePythonFrame({ status: 'completed', result: null })}\nos._exit(0)`,
      noise:
        'import os\nfor fd in range(3, 50):\n    try:\n        os.write(fd, b"\\0\\0\\0\\5hello")\n    except OSError:\n        pass',
      'JSON that forges': 'import json\njson.dumps = lambda *a, **k: "{\\"status\\": \\"infrastructure\\"}"',
      'its runner’s names':
        'import __main__\n__main__.RESULT = {"ended": "threw", "error": None}\n__main__.run = None',
      'its runner’s frames':
        'import sys\nframe = sys._getframe()\nwhile frame:\n    for name in list(frame.f_globals):\n        if name.lower() in ("send", "write", "report", "said", "outcome"):\n            frame.f_globals[name] = None\n    frame = frame.f_back',
      'lines that look like results': 'print(\'{"passed":true,"verdict":"passed"}\\nRESULT = True\')',
    },
    after: {
      'a RESULT that is itself': 'RESULT = []\nRESULT.append(RESULT)',
      'a RESULT that raises':
        'class _S(str):\n    def __str__(self):\n        raise MemoryError\n    __repr__ = __iter__ = __len__ = __eq__ = __hash__ = __str__\nRESULT = _S("x")',
      'a RESULT that is equal to anything':
        'class _E(dict):\n    def __eq__(self, other):\n        return True\n    __hash__ = None\nRESULT = _E()',
    },
  },
  comparison: {
    after: {
      'lone halves of characters': 'RESULT = {"\\udc00": "\\ud800"}',
      'no number': 'RESULT = float("nan")',
      infinity: 'RESULT = [float("inf")]',
      'a number of 5,000 digits': 'RESULT = 10**5000',
      'names that are none': 'RESULT = {1: 2, None: 3, (1,): 4, float("nan"): 5}',
      bytes: 'RESULT = b"x"',
      'nesting beyond the stack': '_deep = 1\nfor _ in range(100000):\n    _deep = [_deep]\nRESULT = _deep',
      '200,000 lists': 'RESULT = [[] for _ in range(200000)]',
      nothing: 'RESULT = None',
      'an empty object': 'RESULT = {}',
      'nothing everywhere': changeEveryPythonResult('None'),
      'no number everywhere': changeEveryPythonResult('float("nan")'),
      'infinity everywhere': changeEveryPythonResult('float("inf")'),
      'true everywhere': changeEveryPythonResult('True'),
      'an id everywhere': changeEveryPythonResult('"0" * 24'),
      'a tensor of a size that there is not':
        'RESULT = {"$tensor": {"dtype": "float32", "shape": [10**9, 10**9], "data": "AAAA"}}',
      'a tensor of an unknown artifact':
        'RESULT = {"$tensor": {"dtype": "float32", "shape": [2], "artifact": "0" * 64}}',
      'a tensor of numbers': 'RESULT = {"tensor": 5}',
    },
  },
  runner: {
    before: {
      'its modules':
        'import sys\nfor name in list(sys.modules):\n    if name not in ("sys", "builtins", "__main__"):\n        del sys.modules[name]',
      'its globals':
        'import sys\nfor name in list(sys.modules["__main__"].__dict__):\n    if not name.startswith("__"):\n        del sys.modules["__main__"].__dict__[name]',
      'its builtins':
        'import builtins\nbuiltins.open = builtins.len = builtins.isinstance = builtins.repr = None',
      equality:
        'import builtins, operator\noperator.eq = lambda a, b: True\nbuiltins.all = lambda x: True\nbuiltins.any = lambda x: False',
    },
  },
  oracle: {
    after: {
      'in files and the environment': `import json, os, re\n_texts = [json.dumps(dict(os.environ))]\nfor _top in ("/tmp", "/dev/shm", "/runner", "/run", "/home", "."):\n    for _at, _dirs, _files in os.walk(_top):\n        for _name in _files[:50]:\n            try:\n                _texts.append(open(os.path.join(_at, _name), errors="ignore").read(1000000))\n            except OSError:\n                pass\nfor _text in _texts:\n    _found = re.search(r'"(?:result|oracle|expected|RESULT)"\\s*:\\s*(\\{.*\\}|\\[.*\\]|"[^"]*")', _text)\n    if _found:\n        try:\n            RESULT = json.loads(_found.group(1))\n        except ValueError:\n            pass`,
      'in objects':
        'import gc\nfor _one in gc.get_objects():\n    if isinstance(_one, dict):\n        for _name in ("oracle", "expected", "oracles", "truth"):\n            if _name in _one:\n                RESULT = _one[_name]',
      'in the time of day':
        'import time\nRESULT = [None, True, False, 0, 1, "", [], {}][int(time.time() * 1000) % 8]',
    },
  },
  leftovers: {
    before: {
      'a process that stays': 'import os\nif os.fork() == 0:\n    while True:\n        pass',
      'a module for the next one':
        'for path in ("/tmp/requests.py", "/tmp/sitecustomize.py", "/dev/shm/json.py"):\n    try:\n        open(path, "w").write("raise SystemExit")\n    except OSError:\n        pass',
    },
  },
}

export const pythonByWorld: readonly { scenarios: readonly string[]; attempts: CodeAttempts }[] = [
  {
    scenarios: ['session-service', 'session'],
    attempts: {
      'opting out': {
        before: {
          'a size that a server fails over': `import requests\n${writePythonPost('/query/fetch', '"{a:{$size:1e300}}"')}`,
          'a pattern that a server fails over': `import requests\n${writePythonPost('', '"{a:[/(/]}"')}\n${writePythonPost('/query/fetch', `'{"data.a":{$eq:[/(/]}}'`)}`,
          'values that a database chokes on': `import requests\nfor text in ['{"a":"\\\\ud800"}', '{"a":1e400}', '{"$a":{"$b":1}}', '{"a.b":1}', '{"a":{"$date":1e300}}', '{"a":NumberDecimal("1E6144")}', '{"__proto__":{"a":1}}']:\n    ${writePythonPost('', 'text').replaceAll('\n', '\n    ')}`,
          'a pattern that nobody waits for': `import json, requests, threading, time\n${writePythonPost('', `json.dumps({"a": "x" * 200000})`)}\nquery = json.dumps({"$or": [{"data.a": {"$regex": "(x{0,300}){3}y%d" % n}} for n in range(40)]})\ndef ask():\n    ${writePythonPost('/query/fetch', 'query').replaceAll('\n', '\n    ')}\nthreading.Thread(target=ask, daemon=True).start()\ntime.sleep(0.1)`,
        },
      },
    },
  },
  {
    scenarios: ['elevenlabs-mcp', 'voice'],
    attempts: {
      'opting out': {
        before: {
          'arguments that no tool knows':
            'for tool in ("text_to_speech", "speech_to_text", "search_voice_library", "make_outbound_call"):\n    for value in ({"$ref": 1}, [[]], "\\ud800", 1e308, float("nan"), "x" * 1000000, object()):\n        try:\n            globals()[tool](value)\n        except Exception:\n            pass',
          'more calls than there may be':
            'while True:\n    try:\n        text_to_speech("x")\n    except Exception:\n        pass',
        },
      },
    },
  },
  {
    scenarios: ['tensor-operation', 'tensor'],
    attempts: {
      'opting out': {
        before: {
          'shapes without end':
            'import torch\nfor shape in ([2**40, 2**40], [-1], [2**31]):\n    try:\n        torch.zeros(shape)\n    except Exception:\n        pass',
          'memory that is not its own':
            'import ctypes, torch\nctypes.memset(torch.zeros(4).data_ptr(), 0xff, 1 << 24)',
        },
      },
      comparison: {
        after: {
          'a tensor without numbers': 'import torch\nRESULT = torch.full((2,), float("nan"))',
          'a tensor of infinity': 'import torch\nRESULT = torch.full((2, 2), float("inf"))',
          'a tensor that is empty': 'import torch\nRESULT = torch.zeros(0)',
          'a tensor of complex numbers': 'import torch\nRESULT = torch.zeros(3, dtype=torch.complex64)',
          'a tensor of another type': 'import torch\nRESULT = torch.zeros(2, dtype=torch.bfloat16)',
          'a sparse tensor': 'import torch\nRESULT = torch.sparse_coo_tensor([[0]], [1.0], (5,))',
          'a tensor of nine million numbers': 'import torch\nRESULT = torch.zeros(3000, 3000)',
          'a subclass that lies':
            'import torch\nclass _T(torch.Tensor):\n    def data_ptr(self):\n        return 0\n    @property\n    def shape(self):\n        return [2 ** 40]\nRESULT = torch.zeros(4).as_subclass(_T)',
        },
      },
    },
  },
]
