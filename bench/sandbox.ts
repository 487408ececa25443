/**
 * How fast programs run in our sandbox, over HTTP and NATS, beside one fresh process for each without a jail, and beside
 * EvalPlus's `untrusted_check`. All in one run on one machine, in turns. Options: --times N (80): programs for each figure.
 */
import { availableParallelism } from 'node:os'
import { startServers } from '@stateeval/testkit'
import { usage } from '../packages/sandbox/src/jail/process-tree.ts'
import { serve } from '../scenarios/session-service/backend/serve.ts'
import { evalplus } from './sandbox/evalplus.ts'
import { runFresh } from './sandbox/fresh.ts'
import { type Load, load } from './sandbox/load.ts'
import { type Ours, startOurs } from './sandbox/ours.ts'
import { type BenchProgram, byHand, freshText, programs, requestOf } from './sandbox/programs.ts'
import type { Bench, BenchPart } from './result.ts'

const cores = availableParallelism()
/** Fresh processes are slow: fewer of them tell as much. */
const freshShare = 4
const batchSize = 100
const asked = [...new Set([1, 2, 8, cores])].sort((a, b) => a - b)

interface Row extends Load {
  program: string
  /** CPU time for each program, where it was measured with the rest. */
  cpuMs?: number
  way: string
  concurrency: number
}
const nameOf = ({ language, kind }: BenchProgram) => `${language}, ${kind}`
const fixed = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

export async function run(options: string[]): Promise<Bench> {
  const times = Number(options[options.indexOf('--times') + 1] ?? 80) || 80
  const servers = await startServers()
  const sessions = await serve({
    http: { host: '127.0.0.1', port: 0 },
    log: { level: 'silent' },
    mongo: { uri: servers.mongoUri, database: 'bench_sessions' },
  })
  const ours = await startOurs(servers, cores)
  try {
    const rows: Row[] = []
    const costs: Cost[] = []
    for (const program of programs) {
      await ours.batch(Array.from({ length: 2 * cores }, () => requestOf(program)))
      rows.push(...(await measure(ours, program, sessions.url, times)))
      costs.push(await costOf(ours, program, times))
    }
    const answers = new Map<string, Load>()
    for (const program of byHand) answers.set(nameOf(program), await answersOf(ours, program))
    const python = Object.fromEntries(
      programs
        // EvalPlus runs in an environment of its own, without torch.
        .filter(({ language, kind }) => language === 'python' && kind !== 'tensor')
        .map((program) => [nameOf(program), freshText(program, sessions.url)]),
    )
    const forked = await evalplus(python, times, asked)
    if (typeof forked !== 'string') rows.push(...forked.parts.map(({ name, ...rest }) => ({ program: name, way: 'EvalPlus', ...rest })))
    return {
      about: `Programs in the sandbox, each in an isolate or a fork of its own inside a warm jail, beside one fresh process for each without a jail, and EvalPlus's untrusted_check; ${times} programs a figure (a quarter for fresh processes), all in one run.`,
      parts: [...partsOf(rows, costs), ...answerParts(answers)],
      notes: notesOf(rows, costs, ours.runners(), forked),
    }
  } finally {
    await ours.stop()
    await sessions.stop()
    await servers.stop()
  }
}

async function measure(ours: Ours, program: BenchProgram, url: string, times: number): Promise<Row[]> {
  const rows: Row[] = []
  const request = requestOf(program)
  const text = freshText(program, url)
  const row = (way: string, concurrency: number, seen: Load) => {
    rows.push({ program: nameOf(program), way, concurrency, ...seen })
    process.stderr.write(`${nameOf(program)}, ${way}, ${concurrency} at a time: ${fixed(seen.perSecond)}/s, p99 ${fixed(seen.p99)} ms\n`)
  }
  for (const concurrency of asked) {
    row('HTTP', concurrency, await load(times, concurrency, () => ours.one(request)))
    row('NATS', concurrency, await load(times, concurrency, () => ours.job(request)))
    if (program.alone === undefined)
      row('fresh', concurrency, await load(Math.ceil(times / freshShare), concurrency, () => runFresh(program.language, text)))
  }
  const batch = Array.from({ length: batchSize }, () => request)
  const { perSecond, ...took } = await load(2, 1, () => ours.batch(batch))
  row('HTTP, batches of 100', 1, { ...took, perSecond: perSecond * batchSize })
  return rows
}

/** A warm service, asked by one caller, on a new connection each time: what somebody who types a command sees. */
async function answersOf(ours: Ours, program: BenchProgram): Promise<Load> {
  const ask = () => ours.oneAlone(requestOf(program))
  await load(askedWarm, 1, ask)
  return load(askedByHand, 1, ask)
}
const [askedWarm, askedByHand] = [10, 100]
/** Answers are wanted within this time, in milliseconds. */
const patience = 50

function answerParts(answers: ReadonlyMap<string, Load>): BenchPart[] {
  return [...answers].flatMap(([program, { p50, p99 }]) =>
    Object.entries({ median: p50, p99 }).map(([name, ms]): BenchPart => {
      const what = `${program}, one after the other over HTTP, ${name} (peer: ${patience} ms)`
      return { name: what, unit: 'ms', ours: ms, peer: patience, ratio: patience / ms, aim: 1 }
    }),
  )
}

interface Cost {
  program: string
  hostMs: number
  jailMs: number
  serversMs: number
}
/** CPU time for each program: of the service, of its jails, and of the embedded servers. Who asks is left out. */
async function costOf(ours: Ours, program: BenchProgram, times: number): Promise<Cost> {
  const used = () => {
    const { user, system } = process.cpuUsage()
    const service = ours.cpu()
    return { ...service, servers: usage(process.pid).cpuMs - service.all - (user + system) / 1000 }
  }
  const before = used()
  await load(times, cores, () => ours.one(requestOf(program)))
  const after = used()
  const jails = Math.max(0, after.jails - before.jails)
  const [all, servers] = [after.all - before.all, after.servers - before.servers]
  return { program: nameOf(program), jailMs: jails / times, hostMs: (all - jails) / times, serversMs: servers / times }
}

const captured = 'javascript, captured'
/** How many times as many programs as in fresh processes are wanted. */
const aims: Readonly<Record<string, number>> = { [captured]: 30, 'python, tensor': 50 }

/** Ours and EvalPlus by the CPU time of all that runs a program: what a core gives. */
function partPerCore({ program, hostMs, jailMs, serversMs }: Cost, { cpuMs }: Row): BenchPart | undefined {
  if (cpuMs === undefined) return undefined
  const [ours, peer] = [hostMs + jailMs + serversMs, cpuMs].map((ms) => 1000 / ms) as [number, number]
  const aim = program === 'python, empty' ? { aim: 3 } : {}
  return { name: `${program}, a core (peer: EvalPlus)`, unit: 'programs/CPU s', ours, peer, ratio: ours / peer, ...aim }
}

function partsOf(rows: readonly Row[], costs: readonly Cost[]): BenchPart[] {
  const find = (program: string, way: string, concurrency: number) =>
    rows.find((row) => row.program === program && row.way === way && row.concurrency === concurrency)
  const parts: BenchPart[] = []
  for (const cost of costs) {
    const { program } = cost
    const http = find(program, 'HTTP', cores)!
    const peers = [
      ['fresh process', 'fresh', aims[program]],
      ['EvalPlus', 'EvalPlus', undefined],
    ] as const
    for (const [name, way, aim] of peers) {
      const peer = find(program, way, cores)
      if (peer)
        parts.push({
          name: `${program}, ${cores} at a time (peer: ${name})`,
          unit: 'programs/s',
          ours: http.perSecond,
          peer: peer.perSecond,
          ratio: http.perSecond / peer.perSecond,
          ...(aim !== undefined && { aim }),
        })
    }
    const forked = find(program, 'EvalPlus', cores)
    const part = forked && partPerCore(cost, forked)
    if (part) parts.push(part)
  }
  const { p99 } = find(captured, 'HTTP', cores)!
  parts.push({ name: `${captured}, ${cores} at a time, p99 (peer: 25 ms)`, unit: 'ms', ours: p99, peer: 25, ratio: 25 / p99, aim: 1 })
  return parts
}

function notesOf(rows: readonly Row[], costs: readonly Cost[], { count, meanMiB }: ReturnType<Ours['runners']>, forked: unknown): string {
  const lines = rows.map(({ program, way, concurrency, perSecond, p50, p95, p99 }) =>
    [program, way, concurrency, fixed(perSecond), ...(way.includes('batch') ? ['', '', ''] : [p50, p95, p99].map(fixed))].join(' | '),
  )
  return [
    '| program | way | at a time | programs/s | p50 ms | p95 ms | p99 ms |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n' +
      lines.map((line) => `| ${line} |`).join('\n'),
    '| program | CPU of the service, ms | CPU of the jails, ms | CPU of the embedded servers, ms |\n| --- | ---: | ---: | ---: |\n' +
      costs.map((c) => `| ${c.program} | ${[c.hostMs, c.jailMs, c.serversMs].map(fixed).join(' | ')} |`).join('\n'),
    `Memory of a warm runner: ${fixed(meanMiB)} MiB of its own (${count} runners).`,
    ...(typeof forked === 'string' ? [`EvalPlus is missing: ${forked}`] : []),
  ].join('\n\n')
}
