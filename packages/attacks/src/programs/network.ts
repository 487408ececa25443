/** Everything that isn’t the run’s own backend. */
import { type AttackProgram, javascript, nothing, python } from '../attack.ts'

const tries = `const net = require('net'); const attempt = (options) => new Promise((done) => { const socket = net.connect(options); socket.setTimeout(300, () => { socket.destroy(); done([]) }); socket.on('connect', () => { socket.end('attack'); done([options]) }); socket.on('error', () => done([])) });`
const pyTries = `
import socket
def attempt(family, kind, address):
    try:
        s = socket.socket(family, kind)
        s.settimeout(0.3)
        s.connect(address)
        s.send(b"attack")
        return [address]
    except OSError:
        return []
`

export const network: readonly AttackProgram[] = [
  javascript(
    'TCP to the host',
    `${tries} RESULT = (await Promise.all([{ host: '127.0.0.1', port: canary.port }, { host: 'localhost', port: canary.port }, { host: '::1', port: canary.port }, { host: '0.0.0.0', port: canary.port }, ...[22, 80, 443, 27017, 4222, 2375].map((port) => ({ host: '127.0.0.1', port }))].map(attempt))).flat()`,
    nothing,
  ),
  javascript(
    'TCP to the world',
    `${tries} RESULT = (await Promise.all([{ host: '1.1.1.1', port: 53 }, { host: '10.0.0.1', port: 80 }, { host: '192.168.0.1', port: 80 }, { host: '2606:4700::1111', port: 443 }].map(attempt))).flat()`,
    nothing,
  ),
  javascript(
    'metadata addresses',
    `${tries} RESULT = (await Promise.all([{ host: '169.254.169.254', port: 80 }, { host: '100.100.100.200', port: 80 }, { host: 'fd00:ec2::254', port: 80 }, { host: '172.17.0.1', port: 80 }].map(attempt))).flat()`,
    nothing,
  ),
  javascript(
    'metadata by axios',
    `const axios = require('axios'); RESULT = (await Promise.all(['http://169.254.169.254/latest/meta-data/', 'http://metadata.google.internal/computeMetadata/v1/', 'http://127.0.0.1:' + canary.port + '/', 'http://[::ffff:127.0.0.1]:' + canary.port + '/', 'http://2130706433:' + canary.port + '/'].map((url) => axios.get(url, { timeout: 300, validateStatus: () => true }).then(() => [url], () => [])))).flat()`,
    nothing,
  ),
  javascript(
    'metadata by fetch',
    `RESULT = (await Promise.all(['http://169.254.169.254/', 'http://127.0.0.1:' + canary.port].map((url) => fetch(url, { signal: AbortSignal.timeout(300) }).then(() => [url], () => [])))).flat()`,
    nothing,
  ),
  javascript(
    'UDP',
    `const dgram = require('dgram'); RESULT = []; for (const [port, host] of [[canary.udpPort, '127.0.0.1'], [53, '8.8.8.8']]) { try { const socket = dgram.createSocket('udp4'); await new Promise((done) => { socket.on('error', done); socket.send('attack', port, host, done) }); socket.close() } catch {} }`,
    nothing,
  ),
  javascript(
    'DNS',
    `const dns = require('dns').promises; const resolver = new dns.Resolver({ timeout: 200, tries: 1 }); resolver.setServers(['8.8.8.8']); RESULT = (await Promise.all([dns.lookup('example.com'), resolver.resolve4('secret.example.com'), resolver.resolveTxt('example.com')].map((work) => work.then((found) => [found], () => [])))).flat()`,
    nothing,
  ),
  javascript(
    'unix and abstract sockets',
    `${tries} RESULT = (await Promise.all([{ path: canary.unix }, { path: '\\0' + canary.abstract }, { path: '/var/run/docker.sock' }, { path: '/run/dbus/system_bus_socket' }].map(attempt))).flat()`,
    nothing,
  ),
  javascript(
    'listens for others',
    `const net = require('net'); const server = net.createServer(); RESULT = await new Promise((done) => { server.on('error', () => done([])); server.listen({ host: '0.0.0.0', port: canary.freePort }, () => { server.unref(); done([]) }) })`,
    nothing,
  ),
  javascript(
    'requests that leave by headers',
    `const axios = require('axios'); const answers = await Promise.all([{ Host: '169.254.169.254' }, { Host: '127.0.0.1:' + canary.port }, { 'X-Forwarded-For': '127.0.0.1' }].map((headers) => axios.get(BASE_URL + '/x', { headers }))); RESULT = answers.filter(({ data }) => data.n !== 1)`,
    nothing,
  ),
  javascript(
    'splits a request',
    `const axios = require('axios'); RESULT = []; for (const path of ['/x HTTP/1.1\\r\\nHost: evil\\r\\n\\r\\nGET /users', '/x\\r\\nX-Injected: 1']) try { await axios.get(BASE_URL + path) } catch {} for (const value of ['a\\r\\nX-Injected: 1', 'a\\0b']) try { await axios.get(BASE_URL + '/x', { headers: { 'X-A': value } }) } catch {}`,
    nothing,
  ),
  javascript(
    'other adresses by a proxy',
    `const axios = require('axios'); process.env.http_proxy = 'http://127.0.0.1:' + canary.port; RESULT = await axios.get('http://example.com/', { timeout: 300, proxy: { host: '127.0.0.1', port: canary.port } }).then(() => ['answered'], () => [])`,
    nothing,
  ),

  python(
    'TCP to the host',
    `${pyTries}\nRESULT = [a for port in [canary["port"], 22, 80, 27017, 4222] for a in attempt(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port))]\nRESULT += attempt(socket.AF_INET6, socket.SOCK_STREAM, ("::1", canary["port"]))`,
    nothing,
  ),
  python(
    'the world and its metadata',
    `${pyTries}\nRESULT = [a for address in [("1.1.1.1", 53), ("169.254.169.254", 80), ("10.0.0.1", 80)] for a in attempt(socket.AF_INET, socket.SOCK_STREAM, address)]`,
    nothing,
  ),
  python(
    'UDP and raw sockets',
    `${pyTries}\nRESULT = []\ntry:\n    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n    s.sendto(b"attack", ("127.0.0.1", canary["udpPort"]))\nexcept OSError:\n    pass\nfor family, kind in [(socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW), (socket.AF_NETLINK, socket.SOCK_RAW)]:\n    try:\n        socket.socket(family, kind, 1 if family == socket.AF_INET else 0)\n        RESULT += [str(family)] if family != socket.AF_NETLINK else []\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'unix and abstract sockets',
    `${pyTries}\nRESULT = [a for path in [canary["unix"], "\\0" + canary["abstract"], "/var/run/docker.sock"] for a in attempt(socket.AF_UNIX, socket.SOCK_STREAM, path)]`,
    nothing,
  ),
  python(
    'metadata by requests',
    `import requests\nRESULT = []\nfor url in ["http://169.254.169.254/", f"http://127.0.0.1:{canary['port']}/", "http://example.com/"]:\n    try:\n        requests.get(url, timeout=0.3)\n        RESULT.append(url)\n    except requests.RequestException:\n        pass`,
    nothing,
  ),
  python(
    'DNS',
    `import socket\nsocket.setdefaulttimeout(0.3)\nRESULT = []\nfor name in ["example.com", "secret.example.com"]:\n    try:\n        RESULT.append(socket.gethostbyname(name))\n    except OSError:\n        pass`,
    nothing,
  ),
]
