/**
 * Programs that search for the oracle, for which the canary's secret stands: beside the input, and in the
 * host's memory, environment and files.
 */
import { type AttackProgram, javascript, nothing, python, throws } from '../attack.ts'

const pattern = 'CANARY-[0-9a-f]{24}'

export const oracles: readonly AttackProgram[] = [
  javascript(
    'in everything that can be reached',
    `RESULT = []; const seen = new Set(); const look = (value, depth) => { if (typeof value === 'string') { if (/${pattern}/.test(value)) RESULT.push(value.length); return } if (depth > 6 || (typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return; seen.add(value); for (const key of Reflect.ownKeys(value)) { look(key, depth + 1); look(Object.getOwnPropertyDescriptor(value, key).value, depth + 1) } look(Object.getPrototypeOf(value), depth + 1) }; look(globalThis, 0); look(canary, 0)`,
    nothing,
    { wallMs: 3000 },
  ),
  javascript(
    'asked for at its backend',
    `const axios = require('axios'); RESULT = []; for (const path of ['/oracle', '/expected', '/solution', '/..%2f..%2foracle', '/api/sessions', '/api/oracle', '/metrics', '/v1/runtime', '/?oracle=1']) { const { data, headers } = await axios.get(BASE_URL + path, { validateStatus: () => true }); if (/${pattern}/.test(JSON.stringify([data, headers]))) RESULT.push(path) }`,
    nothing,
  ),
  javascript(
    'in its process: arguments, environment, modules, memory',
    `const fs = require('fs'); RESULT = []; const look = (where, text) => { if (/${pattern}/.test(text)) RESULT.push(where) }; look('arguments', JSON.stringify([process.argv, process.execArgv, process.env, Object.keys(require.cache ?? {})])); for (const name of ['environ', 'cmdline', 'mountinfo']) for (const pid of ['self', 1, process.ppid, canary.pid]) try { look(name, fs.readFileSync('/proc/' + pid + '/' + name, 'latin1')) } catch {} try { const memory = fs.openSync('/proc/self/mem', 'r'); for (const line of fs.readFileSync('/proc/self/maps', 'latin1').split('\\n')) { const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []; const size = parseInt(to, 16) - parseInt(from, 16); if (size > 0 && size < 1 << 24) try { const bytes = Buffer.alloc(size); fs.readSync(memory, bytes, 0, size, BigInt('0x' + from)); look('memory', bytes.toString('latin1')) } catch {} } } catch {}`,
    [nothing, throws],
    { memoryMiB: 512 },
  ),
  python(
    'in its process: objects, frames, modules, memory',
    `import gc, os, re, sys\nRESULT = []\nsought = re.compile(rb"${pattern}")\ndef look(where, data):\n    if sought.search(data):\n        RESULT.append(where)\nfor each in gc.get_objects():\n    if isinstance(each, dict):\n        for value in list(each.values()):\n            if isinstance(value, str):\n                look("objects", value.encode("utf8", "ignore"))\nlook("arguments", repr((sys.argv, dict(os.environ))).encode("utf8", "ignore"))\nfor pid in ("self", 1, os.getppid(), canary["pid"]):\n    for name in ("environ", "cmdline"):\n        try:\n            look(name, open(f"/proc/{pid}/{name}", "rb").read())\n        except OSError:\n            pass\ntry:\n    memory = os.open("/proc/self/mem", os.O_RDONLY)\n    for line in open("/proc/self/maps"):\n        found = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)\n        if found:\n            start, end = (int(part, 16) for part in found.groups())\n            try:\n                look("memory", os.pread(memory, min(end - start, 1 << 24), start))\n            except OSError:\n                pass\nexcept OSError:\n    pass`,
    nothing,
    { memoryMiB: 512 },
  ),
]
