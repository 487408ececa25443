/** Language and libraries changed for whoever runs next. */
import { type AttackProgram, anyEnd, javascript, python } from '../attack.ts'

const poisonAxios = (code: string) => `const axios = require('axios'); ${code}; RESULT = 1`

export const patching: readonly AttackProgram[] = [
  javascript(
    'prototype pollution',
    poisonAxios(
      'Object.prototype.polluted = true; Array.prototype.polluted = true; Object.prototype.status = 500; Object.prototype.n = 99; ({}).__proto__.data = "polluted"',
    ),
    anyEnd,
  ),
  javascript(
    'pollution by merge',
    poisonAxios(
      'const merge = (a, b) => { for (const key in b) if (typeof b[key] === "object") { a[key] ??= {}; merge(a[key], b[key]) } else a[key] = b[key]; return a }; merge({}, JSON.parse(\'{"__proto__": {"polluted": "yes", "proxy": {"host": "evil"}}}\'))',
    ),
    anyEnd,
  ),
  javascript('JSON', poisonAxios('JSON.parse = () => ({ n: 666 }); JSON.stringify = () => "666"'), anyEnd),
  javascript(
    'Promise',
    poisonAxios(
      'Promise.prototype.then = function () { return this }; Promise.resolve = () => new Promise(() => {}); globalThis.Promise = class {}',
    ),
    anyEnd,
    { wallMs: 1500 },
  ),
  javascript(
    'axios',
    poisonAxios(
      'axios.get = axios.put = async () => ({ data: { n: 666 } }); axios.defaults.baseURL = "http://evil"; axios.interceptors.response.use(() => { throw new Error("patched") }); axios.Axios.prototype.request = null',
    ),
    anyEnd,
  ),
  javascript(
    'iterators of arrays',
    poisonAxios('Array.prototype[Symbol.iterator] = function* () { yield 666 }'),
    anyEnd,
  ),
  javascript(
    'call, apply and bind',
    poisonAxios(
      'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = function () { throw new Error("patched") }; Reflect.apply = () => 666',
    ),
    anyEnd,
  ),
  javascript(
    'getters and setters of Object.prototype',
    poisonAxios(
      'for (const name of ["status", "data", "result", "get", "value", "outcome", "headers", "message"]) Object.defineProperty(Object.prototype, name, { get() { return 666 }, set() {}, configurable: true })',
    ),
    anyEnd,
  ),
  javascript(
    'methods of arrays, texts, maps',
    poisonAxios(
      'for (const type of [Array, String, Map, Set, RegExp, Date, Number]) for (const name of Object.getOwnPropertyNames(type.prototype)) if (name !== "constructor") try { type.prototype[name] = () => 666 } catch {}',
    ),
    anyEnd,
    { wallMs: 1500 },
  ),
  javascript(
    'globals',
    poisonAxios(
      'for (const name of ["console", "process", "URL", "URLSearchParams", "setTimeout", "Error", "Object", "Array", "Date", "Math", "globalThis", "require"]) try { globalThis[name] = () => 666 } catch {}',
    ),
    anyEnd,
  ),
  javascript(
    'constructors and species',
    poisonAxios(
      'Object.defineProperty(Array, Symbol.species, { get: () => function () { return { length: 0 } } }); Promise[Symbol.species]; Object.setPrototypeOf(Array.prototype, null); Object.setPrototypeOf(Function.prototype, null)',
    ),
    anyEnd,
  ),
  javascript(
    'frozen world',
    poisonAxios(
      'for (const type of [Object, Array, Function, Promise, Error, Map]) { Object.freeze(type); Object.freeze(type.prototype) } Object.freeze(globalThis)',
    ),
    anyEnd,
  ),
  javascript(
    'Math.random and Date',
    poisonAxios(
      'Math.random = () => 0; Date.now = () => 0; globalThis.Date = class { static now() { return 0 } }',
    ),
    anyEnd,
    { wallMs: 1500 },
  ),
  javascript(
    'modules of Node',
    'const http = require("http"); http.request = () => { throw new Error("patched") }; require("fs").readFileSync = () => "666"; require("module")._load = () => 666; RESULT = 1',
    anyEnd,
  ),
  javascript(
    'the environment and its time',
    'process.env.TZ = "Pacific/Kiritimati"; process.env.BASE_URL = "http://evil"; process.env.NODE_OPTIONS = "--require /tmp/x.js"; process.chdir?.("/"); process.title = "evil"; process.umask?.(0); RESULT = 1',
    anyEnd,
  ),
  javascript(
    'hidden state',
    poisonAxios(
      'axios.leak = "left behind"; globalThis.leak = "left behind"; Symbol.for("leak").description; Array.leak = "left behind"; console.leak = 1',
    ),
    anyEnd,
  ),

  python(
    'builtins',
    'import builtins\nbuiltins.print = lambda *a, **k: None\nbuiltins.len = lambda x: 666\nbuiltins.dict = list\nbuiltins.__import__ = None\nRESULT = 1',
    anyEnd,
  ),
  python(
    'requests',
    'import requests\nrequests.get = lambda *a, **k: None\nrequests.Session.request = None\nrequests.models.Response.json = lambda self: {"n": 666}\nRESULT = 1',
    anyEnd,
  ),
  python(
    'json and its decoder',
    'import json\njson.loads = lambda *a, **k: {"n": 666}\njson.decoder.JSONDecoder.decode = lambda *a: {"n": 666}\nRESULT = 1',
    anyEnd,
  ),
  python(
    'modules',
    'import sys\nsys.modules["requests"] = None\nsys.modules["json"] = None\nsys.meta_path.clear()\nsys.path.clear()\nsys.stdout = None\nRESULT = 1',
    anyEnd,
  ),
  python(
    'its runner by frames',
    'import sys, gc\nframe = sys._getframe()\nwhile frame.f_back:\n    frame = frame.f_back\n    for name in list(frame.f_locals):\n        try:\n            frame.f_globals[name] = None\n        except Exception:\n            pass\nfor o in gc.get_objects():\n    if isinstance(o, dict) and "stateeval" in str(o.get("__name__", "")):\n        o.clear()\nRESULT = 1',
    anyEnd,
    { wallMs: 3000 },
  ),
  python(
    'traces, profiles and hooks',
    'import sys, threading, atexit\ndef trace(*a):\n    raise RuntimeError("patched")\nsys.excepthook = trace\nsys.unraisablehook = trace\natexit.register(trace)\nthreading.settrace(trace)\nsys.addaudithook(lambda *a: None)\nRESULT = 1',
    anyEnd,
  ),
  python(
    'the environment',
    'import os, locale\nos.environ["TZ"] = "Pacific/Kiritimati"\nos.environ["PYTHONPATH"] = "/tmp"\nos.environ["HTTP_PROXY"] = "http://127.0.0.1:9"\nos.umask(0)\nos.chdir("/")\nopen("/tmp/requests.py", "w").write("raise SystemExit")\nopen("/tmp/sitecustomize.py", "w").write("raise SystemExit")\nRESULT = 1',
    anyEnd,
  ),
]
