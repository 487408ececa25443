/**
 * How fast programs run in our sandbox, over HTTP and NATS, beside one fresh process for each without a jail,
 * and beside EvalPlus's `untrusted_check`. All in one run on one machine, in turns. Programs that this
 * machine lacks something for are left out; the notes say why. Options: --times N (80): programs for each
 * figure, --rounds N (3): of each figure the median is taken; --only NAME: programs whose names contain it,
 * --way NAME: HTTP, NATS, fresh, batches or EvalPlus (both may be repeated; such a run is printed, not
 * stored).
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startServers } from '@stateeval/testkit'
import { measureUsage } from '../packages/jail/src/process-tree.ts'
import { serveSessions } from '../scenarios/session-service/backend/serve.ts'
import { evalplus } from './sandbox/evalplus.ts'
import { runFresh } from './sandbox/fresh.ts'
import { type Load, load } from './sandbox/load.ts'
import { type Ours, startOurs } from './sandbox/ours.ts'
import {
  answerParts,
  batchSize,
  type Cost,
  fixed,
  notesOf,
  compareWithPeers,
  type Row,
} from './sandbox/parts.ts'
import { type BenchProgram, byHand, freshText, programs, requestOf } from './sandbox/programs.ts'
import { medians } from './sandbox/rounds.ts'
import type { Bench } from './result.ts'

const cores = availableParallelism()
/** Fresh processes are slow: fewer of them tell as much. */
const freshShare = 8
const concurrencies = [...new Set([1, 2, 8, cores])].sort((a, b) => a - b)

const nameOf = ({ language, kind }: BenchProgram) => `${language}, ${kind}`

export async function run(options: string[]): Promise<Bench> {
  const { values } = parseArgs({
    args: options,
    options: {
      times: { type: 'string', default: '80' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', multiple: true },
      way: { type: 'string', multiple: true },
    },
  })
  const [times, rounds] = [Number(values.times), Number(values.rounds)]
  const [isWanted, isWay] = [wantedBy(values.only), wantedBy(values.way)]
  const servers = await startServers()
  const sessions = await serveSessions({
    http: { host: '127.0.0.1', port: 0 },
    log: { level: 'silent' },
    mongo: { uri: servers.mongoUri, database: 'bench_sessions' },
  })
  const ours = await startOurs(servers, cores)
  try {
    const measuredRows: Row[] = []
    const measuredCosts: Cost[] = []
    const missing = new Set<string>()
    const chosen = await runnable(
      ours,
      programs.filter((program) => isWanted(nameOf(program))),
      missing,
    )
    const manual = await runnable(
      ours,
      isWay('HTTP') ? byHand.filter((program) => isWanted(nameOf(program))) : [],
      missing,
    )
    for (let round = 0; round < rounds; round++) {
      for (const program of chosen) {
        await ours.batch(Array.from({ length: 2 * cores }, () => requestOf(program)))
        measuredRows.push(...(await measure(ours, program, sessions.url, times, isWay)))
        measuredCosts.push(await costOf(ours, program, times))
      }
      const forked = isWay('EvalPlus') ? forkable(chosen, sessions.url) : {}
      if (Object.keys(forked).length === 0) continue
      const evalplusResult = await evalplus(forked, times, concurrencies)
      if (typeof evalplusResult === 'string') missing.add(`EvalPlus is missing: ${evalplusResult}`)
      else
        measuredRows.push(
          ...evalplusResult.parts.map(({ name, ...rest }) => ({ program: name, way: 'EvalPlus', ...rest })),
        )
    }
    const rows = medians(
      measuredRows,
      ({ program, way, concurrency }) => [program, way, concurrency].join(),
      'perSecond',
    )
    const costs = medians(measuredCosts, ({ program }) => program, 'allMs')
    const answers = new Map<string, Load>()
    for (const program of manual) answers.set(nameOf(program), await answersOf(ours, program))
    return {
      about: `Programs in the sandbox, each in a separate fork inside a warm jail, compared with one fresh process for each without a jail, and with EvalPlus's untrusted_check; medians of ${rounds} rounds of ${times} programs per figure (an eighth for fresh processes), all in one run, in turns; the spread is StateEval’s.`,
      parts: [...compareWithPeers(rows, costs, cores), ...answerParts(answers)],
      notes: notesOf(rows, costs, ours.runners(), [...missing]),
      ...((values.only ?? values.way) && { partial: true as const }),
    }
  } finally {
    await ours.stop()
    await sessions.stop()
    await servers.stop()
  }
}

/** Whether a name contains one of these texts; every name where none is given. */
const wantedBy = (texts: readonly string[] | undefined) => (name: string) =>
  texts === undefined || texts.some((text) => name.toLowerCase().includes(text.toLowerCase()))

/** Those that this machine can run; of the others, `missing` gets the reason. */
async function runnable(ours: Ours, programs: readonly BenchProgram[], missing: Set<string>) {
  const found: BenchProgram[] = []
  for (const program of programs) {
    const lacks = await ours.lacks(requestOf(program))
    if (lacks === undefined) found.push(program)
    else missing.add(`The program “${nameOf(program)}” is left out: ${lacks}`)
  }
  return found
}

/** EvalPlus runs in an environment of its own, without torch. */
const forkable = (programs: readonly BenchProgram[], url: string) =>
  Object.fromEntries(
    programs
      .filter(({ language, kind }) => language === 'python' && kind !== 'tensor')
      .map((program) => [nameOf(program), freshText(program, url)]),
  )

async function measure(
  ours: Ours,
  program: BenchProgram,
  url: string,
  times: number,
  isWay: (name: string) => boolean,
): Promise<Row[]> {
  const rows: Row[] = []
  const request = requestOf(program)
  const text = freshText(program, url)
  const row = (way: string, concurrency: number, figures: Load) => {
    rows.push({ program: nameOf(program), way, concurrency, ...figures })
    process.stderr.write(
      `${nameOf(program)}, ${way}, ${concurrency} at a time: ${fixed(figures.perSecond)}/s, p99 ${fixed(figures.p99)} ms\n`,
    )
  }
  for (const concurrency of concurrencies) {
    if (isWay('HTTP')) row('HTTP', concurrency, await load(times, concurrency, () => ours.one(request)))
    if (isWay('NATS')) row('NATS', concurrency, await load(times, concurrency, () => ours.job(request)))
    if (isWay('fresh') && program.alone === undefined)
      row(
        'fresh',
        concurrency,
        await load(Math.ceil(times / freshShare), concurrency, () => runFresh(program.language, text)),
      )
  }
  if (!isWay('batches')) return rows
  const { perSecond, ...percentiles } = await load(2, 1, () => ours.batch(batchOf(program)))
  row('HTTP, batches of 100', 1, { ...percentiles, perSecond: perSecond * batchSize })
  return rows
}

/**
 * A warm service, asked by one caller, on a new connection each time: what somebody who types a command sees.
 */
async function answersOf(ours: Ours, program: BenchProgram): Promise<Load> {
  const ask = () => ours.oneAlone(requestOf(program))
  await load(askedWarm, 1, ask)
  return load(askedByHand, 1, ask)
}
const [askedWarm, askedByHand] = [10, 100]
const batchOf = (program: BenchProgram) => Array.from({ length: batchSize }, () => requestOf(program))

/**
 * CPU time for each program: of the service, of its jails, and of the embedded servers. Who asks is left out.
 */
async function costOf(ours: Ours, program: BenchProgram, times: number): Promise<Cost> {
  const used = () => {
    const { user, system } = process.cpuUsage()
    const service = ours.cpu()
    return { ...service, servers: measureUsage(process.pid).cpuMs - service.all - (user + system) / 1000 }
  }
  const before = used()
  await load(times, cores, () => ours.one(requestOf(program)))
  const after = used()
  const jails = Math.max(0, after.jails - before.jails)
  const [service, servers] = [after.all - before.all, after.servers - before.servers]
  await load(2, 1, () => ours.batch(batchOf(program)))
  const batched = used()
  const batchedMs = (batched.all - after.all + batched.servers - after.servers) / (2 * batchSize)
  return {
    program: nameOf(program),
    jailMs: jails / times,
    hostMs: (service - jails) / times,
    serversMs: servers / times,
    allMs: (service + servers) / times,
    batchedMs,
  }
}
