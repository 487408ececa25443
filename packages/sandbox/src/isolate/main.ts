/**
 * The warm process inside the jail: it opens the port that candidates’ requests go to, hands the listening socket to the
 * host, and then runs job after job, each in an isolate of its own.
 */
import { readFileSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { encodeFrame, frameFd } from '../protocol.ts'
import type { WarmJob } from '../warm/protocol.ts'
import { createEngine, type Engine } from './engine.ts'

/** `port` is `none` for no HTTP; `addon` is where the library that makes isolates stands. The snapshot is in the runner’s folder. */
export function main(folder: string, port: string, addon: string) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { ivm } = require(addon) as { ivm: Parameters<typeof createEngine>[0] }
  const blob = readFileSync(`${folder}/isolate.snapshot`)
  const engine = createEngine(ivm, blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength))
  process.once('disconnect', () => listen(engine))
  if (port === 'none') return void process.send!({ port: 0 })
  const server = createServer()
  server.listen({ port: Number(port), host: '127.0.0.1', backlog: 511 }, () => {
    const { port: opened } = server.address() as { port: number }
    process.send!({ port: opened }, server, () => server.close())
  })
}

/** Makes the snapshot out of the code that every isolate starts with. */
export function snapshot(addon: string, code: string, rehearsal: string): Buffer {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { ivm } = require(addon) as { ivm: { Isolate: typeof import('isolated-vm').Isolate } }
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { builtinModules } = require('node:module') as typeof import('node:module')
  const known = `const nodeGlobals=${JSON.stringify(globals())},nodeBuiltins=${JSON.stringify(builtinModules)};`
  return Buffer.from(ivm.Isolate.createSnapshot([{ code: `{${known}${code}}`, filename: 'isolate.js' }], rehearsal).copy())
}

/** Node’s globals in their order, and which of them a loop sees. */
const globals = () =>
  Object.entries(Object.getOwnPropertyDescriptors(globalThis)).map(([name, { enumerable }]) => [name, enumerable === true] as const)

/** One job at a time: the host sends the next one when it has the report. */
function listen(engine: Engine) {
  const socket = new Socket({ fd: frameFd, readable: true, writable: true })
  let held: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (held.length < 4 || held.length < held.readUInt32BE(0) + 4) return
    const job = JSON.parse(held.toString('utf8', 4)) as WarmJob
    held = Buffer.alloc(0)
    void engine.run(job).then((report) => socket.write(encodeFrame(JSON.stringify(report))))
  })
  // The host is gone.
  socket.on('close', () => process.exit(0)).on('error', () => process.exit(0))
}
