/** Programs that leave something for the next program. */
import { type AttackProgram, anyEnd, javascript, python } from '../attack.ts'

export const leftovers: readonly AttackProgram[] = [
  javascript(
    'timers and intervals',
    'RESULT = 1; setTimeout(() => {}, 1e6).unref?.(); setTimeout(() => { globalThis.left = 1 }, 200); process.exit(0)',
    anyEnd,
  ),
  javascript(
    'a promise that settles later',
    'const axios = require("axios"); axios.get(BASE_URL + "/slow/200").then(() => axios.put(BASE_URL + "/left", { by: "attack" })); RESULT = 1; process.exit(0)',
    anyEnd,
  ),
  javascript(
    'a half-open connection',
    `const net = require('net'); const socket = net.connect(8080, '127.0.0.1', () => { socket.write('PUT /left HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 100\\r\\n\\r\\n{"by":'); RESULT = 1; setTimeout(() => process.reallyExit(0), 20) })`,
    anyEnd,
  ),
  javascript(
    'many half-open connections',
    `const net = require('net'); for (let n = 0; n < 10; n++) net.connect(8080, '127.0.0.1').on('error', () => {}).write('GET /x HTTP/1.1\\r\\nHost: x\\r\\n'); await new Promise((go) => setTimeout(go, 50)); RESULT = 1; process.exit(0)`,
    anyEnd,
  ),
  javascript(
    'a request in the last moment',
    'const axios = require("axios"); RESULT = 1; process.on("exit", () => { axios.put(BASE_URL + "/left", { by: "attack" }) }); process.exit(0)',
    anyEnd,
  ),
  javascript(
    'a request after an error',
    'const axios = require("axios"); axios.put(BASE_URL + "/left", { by: "attack" }); axios.put(BASE_URL + "/left", { by: "attack" }); throw new Error("gone")',
    anyEnd,
  ),
  javascript(
    'a connection in the last moment',
    `const net = require('net'); RESULT = 1; const socket = net.connect(8080, '127.0.0.1'); socket.on('connect', () => { socket.write('PUT /left HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 2\\r\\n\\r\\n{}'); process.kill(process.pid, 'SIGKILL') })`,
    anyEnd,
    { wallMs: 1500 },
  ),
  javascript(
    'garbage for the backend',
    `const net = require('net'); for (const text of ['\\0\\0\\0', 'GET', 'PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n', 'GET /x HTTP/9.9\\r\\n\\r\\n', 'POST /x HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nZZ\\r\\n']) await new Promise((done) => net.connect(8080, '127.0.0.1').on('error', done).on('close', done).end(text)); RESULT = 1`,
    anyEnd,
    { wallMs: 8000 },
  ),
  javascript(
    'files',
    `const fs = require('fs'); for (const path of ['/tmp/left', '/dev/shm/left', '/var/tmp/left']) try { fs.writeFileSync(path, 'left by an attack') } catch {} RESULT = 1`,
    anyEnd,
  ),
  javascript(
    'a file named like a module',
    `const fs = require('fs'); fs.mkdirSync('/tmp/node_modules/axios', { recursive: true }); fs.writeFileSync('/tmp/node_modules/axios/index.js', 'throw new Error("poisoned")'); fs.writeFileSync('/tmp/candidate.js', 'throw 1'); RESULT = 1`,
    anyEnd,
  ),
  javascript(
    'a server on the port',
    `const http = require('http'); const server = http.createServer((_, response) => response.end('{"n":666}')); RESULT = await new Promise((done) => { server.on('error', (error) => done(error.code)); server.listen(8080, '127.0.0.1', () => done('listening')) }); server.unref?.()`,
    anyEnd,
  ),
  javascript(
    'memory that stays',
    'globalThis.kept = Array.from({ length: 200 }, () => new Array(10000).fill(1)); RESULT = 1',
    anyEnd,
  ),
  javascript(
    'the last word to a closed world',
    'const axios = require("axios"); RESULT = 1; setTimeout(() => { for (;;) axios.get(BASE_URL + "/x") }, 20)',
    anyEnd,
    { wallMs: 250, memoryMiB: 128 },
  ),

  python(
    'files and modules',
    'import os\nfor path in ["/tmp/left", "/dev/shm/left", "/tmp/requests.py", "/tmp/json.py"]:\n    try:\n        open(path, "w").write("raise SystemExit(1)")\n    except OSError:\n        pass\nRESULT = 1',
    anyEnd,
  ),
  python(
    'a half-open connection',
    'import socket, os\ns = socket.create_connection(("127.0.0.1", 8080))\ns.send(b"PUT /left HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 100\\r\\n\\r\\n{")\nRESULT = 1\nos._exit(0)',
    anyEnd,
  ),
  python(
    'a request by a child that stays',
    'import os, time, requests\ntry:\n    if os.fork() == 0:\n        time.sleep(0.3)\n        requests.put(f"{BASE_URL}/left", json={"by": "attack"})\n        os._exit(0)\nexcept OSError:\n    pass\nRESULT = 1',
    anyEnd,
    { wallMs: 3000 },
  ),
  python(
    'shared memory',
    'from multiprocessing import shared_memory\ntry:\n    m = shared_memory.SharedMemory(name="left", create=True, size=4096)\n    m.buf[:4] = b"left"\nexcept Exception:\n    pass\nRESULT = 1',
    anyEnd,
  ),
  python(
    'a server on the port',
    'import socket\ns = socket.socket()\ntry:\n    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)\n    s.bind(("127.0.0.1", 8080))\n    s.listen()\nexcept OSError:\n    pass\nRESULT = 1',
    anyEnd,
  ),
  python(
    'descriptors kept',
    'import os\nfds = []\ntry:\n    while True:\n        fds.append(os.open("/dev/null", os.O_RDONLY))\nexcept OSError:\n    pass\nRESULT = 1',
    anyEnd,
  ),
]
