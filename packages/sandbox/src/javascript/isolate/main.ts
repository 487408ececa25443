/**
 * The warm process inside the jail. It opens the port for candidates’ requests, passes the listening socket
 * to the host, and then runs one job after another, each in a separate isolate.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { callMark, callText } from '../../calls/protocol.ts'
import { encodeFrame, frameFd } from '../../protocol.ts'
import { askNow, readReply } from '../runner/calls.ts'
import { Line } from '../runner/line.ts'
import { reportText, type WarmJob } from '../../warm/protocol.ts'
import type { SnapshotKind } from './bundle.ts'
import { createEngine } from './engine.ts'

type Isolates = Parameters<typeof createEngine>[0]

/**
 * `port` is `none` without HTTP; `addon` is the path of the library that creates isolates. The snapshots
 * are in the runner’s folder.
 */
export function main(folder: string, port: string, addon: string) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { ivm } = require(addon) as { ivm: Isolates }
  const read = (kind: SnapshotKind) => {
    const { buffer, byteOffset, byteLength } = readFileSync(`${folder}/${kind}.snapshot`)
    return buffer.slice(byteOffset, byteOffset + byteLength)
  }
  const snapshots = { axios: read('axios'), bare: read('bare') }
  process.once('disconnect', () => listen(ivm, snapshots))
  if (port === 'none') return void process.send!({ port: 0 })
  const server = createServer()
  server.listen({ port: Number(port), host: '127.0.0.1', backlog: 511 }, () => {
    const { port: openPort } = server.address() as { port: number }
    process.send!({ port: openPort }, server, () => server.close())
  })
}

/** Makes the snapshot from the initial code of every isolate. */
export function snapshot(addon: string, code: string, rehearsal: string): Buffer {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { ivm } = require(addon) as { ivm: { Isolate: typeof import('isolated-vm').Isolate } }
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { builtinModules } = require('node:module') as typeof import('node:module')
  const namesCode = `let nodeGlobals=${JSON.stringify(globals())},nodeBuiltins=${JSON.stringify(builtinModules.join(' '))};`
  return Buffer.from(
    ivm.Isolate.createSnapshot([{ code: `{${namesCode}${code}}`, filename: 'isolate.js' }], rehearsal).copy(),
  )
}

/**
 * Node’s globals in their order; a loop sees those with a plus. As one text: lists would stand in every
 * isolate.
 */
const globals = () =>
  Object.entries(Object.getOwnPropertyDescriptors(globalThis))
    .map(([name, { enumerable }]) => (enumerable === true ? `+${name}` : name))
    .join(' ')

/** One job at a time: the host sends the next one when it has the report. */
function listen(ivm: Isolates, snapshots: Record<SnapshotKind, ArrayBuffer>) {
  const line = new Line(
    frameFd,
    (body) => {
      if (body[0] === callMark) return engine.reply(...readReply(body))
      const job = JSON.parse(body.toString('utf8')) as WarmJob
      void engine.run(job).then((report) => line.write(encodeFrame(reportText(report, job))))
    },
    // The host is gone.
    () => process.exit(0),
  )
  const engine = createEngine(ivm, snapshots, {
    call: (id, name, args) => line.write(encodeFrame(callText(id, name, args))),
    callSync: (id, name, args) => askNow(line, id, name, args),
  })
}
