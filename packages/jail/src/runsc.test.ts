/**
 * gVisor, if it is installed: STATEEVAL_RUNSC names the binary; by default it is searched on PATH. Only as
 * root, because it creates a network namespace.
 */
import { expect, test } from '@jest/globals'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { prepareRuntime } from '../../runtime-javascript/src/image.ts'
import { buildRunscCommand } from './runsc.ts'

const runsc = process.env['STATEEVAL_RUNSC'] ?? 'runsc'
const works = process.getuid?.() === 0 && spawnSync(runsc, ['--version']).status === 0
if (!works) console.warn('gVisor is not tried: it needs root and runsc, on PATH or named by STATEEVAL_RUNSC')

const script = `
const fs = require('fs'), net = require('net'), os = require('os')
const frames = new net.Socket({ fd: 4 })
const tried = (action) => { try { action(); return 'done' } catch (error) { return error.code } }
frames.once('data', (job) => {
  const facts = { uid: process.getuid(), root: fs.readdirSync('/').sort(), interfaces: Object.keys(os.networkInterfaces()), write: tried(() => fs.writeFileSync('/x', '')),
    etc: tried(() => fs.readFileSync('/etc/passwd')), big: tried(() => fs.writeFileSync('/tmp/x', Buffer.alloc(2 ** 21))) }
  net.createServer((inner) => inner.pipe(net.connect('/world/world.sock')).pipe(inner)).listen(8080, '127.0.0.1', () => {
    net.connect(8080, '127.0.0.1').on('data', (world) => { frames.end(JSON.stringify({ ...facts, job: String(job), world: String(world) })); setTimeout(() => process.exit(3), 50) })
  })
})`

;(works ? test : test.skip)(
  'the same content runs behind gVisor; frames pass, connections are forwarded to the host’s unix socket',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stateeval-runsc-'))
    const { node, libraries } = prepareRuntime()
    const [sockets, file, state] = [
      join(folder, 'sockets'),
      join(folder, 'script.cjs'),
      join(folder, 'state'),
    ]
    writeFileSync(file, script)
    mkdirSync(sockets)
    for (const path of [folder, sockets]) chmodSync(path, 0o755)
    const world = createServer((connection) => connection.end('from the host')).listen(
      join(sockets, 'world.sock'),
    )
    await new Promise((resolve) => world.once('listening', resolve))
    chmodSync(join(sockets, 'world.sock'), 0o666)
    const binds = [
      { source: node, target: '/bin/node' },
      ...libraries,
      { source: file, target: '/script.cjs' },
    ]
    const image = { binds, command: ['/bin/node', '/script.cjs'], bare: [] }
    const { command, args, remove, env } = buildRunscCommand(
      image,
      { tmpBytes: 2 ** 20 },
      { runsc, folder, state, id: `test-${process.pid}`, sockets, descriptors: [4] },
    )
    try {
      const jail = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'] })
      let [report, printed] = ['', '']
      for (const stream of [jail.stdout!, jail.stderr!])
        stream.on('data', (chunk) => (printed += String(chunk)))
      const frames = jail.stdio[4] as Duplex
      frames.on('data', (chunk) => (report += String(chunk))).on('error', () => {})
      frames.write('a job')
      const code = await new Promise((resolve) => jail.on('close', resolve))
      expect({ code, printed }).toEqual({ code: 3, printed: '' })
      expect(JSON.parse(report)).toEqual({
        uid: 65534,
        root: expect.not.arrayContaining(['etc', 'home', 'usr', 'work']),
        interfaces: ['lo'],
        write: expect.stringMatching(/EROFS|EACCES/),
        etc: 'ENOENT',
        big: expect.stringMatching(/EFBIG|ENOSPC/),
        job: 'a job',
        world: 'from the host',
      })
    } finally {
      world.close()
      spawnSync(command, remove, { env })
      spawnSync('umount', [join(state, 'null-netns')], { env })
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
