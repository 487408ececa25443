/** What was measured, as parts with ratios and as tables. */
import type { BenchPart } from '../result.ts'
import type { Load } from './load.ts'
import type { Ours } from './ours.ts'

export interface Row extends Load {
  program: string
  /** CPU time for each program, where it was measured with the rest. */
  cpuMs?: number
  way: string
  concurrency: number
}

/**
 * CPU time for each program: of the service, of its jails, of the embedded servers, and of all three, also
 * where programs come in batches.
 */
export interface Cost {
  program: string
  hostMs: number
  jailMs: number
  serversMs: number
  allMs: number
  batchedMs: number
}

/** Programs in a batch. */
export const batchSize = 100

export const fixed = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

const captured = 'javascript, captured'
/** How many times as many programs as in fresh processes are wanted. */
const aims: Readonly<Record<string, number>> = { [captured]: 30, 'python, tensor': 50 }

/**
 * Ours and EvalPlus by the CPU time of all that runs a program: what a core gives. EvalPlus is a function
 * that is called: there is no request in its time. A batch is what comes nearest to that over HTTP.
 */
function partsPerCore({ program, allMs, batchedMs }: Cost, { cpuMs }: Row): BenchPart[] {
  if (cpuMs === undefined) return []
  const part = (how: string, ms: number, aim?: number): BenchPart => {
    const [ours, peer] = [1000 / ms, 1000 / cpuMs]
    const name = `${program}, a core, ${how} (peer: EvalPlus)`
    return { name, unit: 'programs/CPU s', ours, peer, ratio: ours / peer, ...(aim !== undefined && { aim }) }
  }
  return [
    part('a request each', allMs),
    part(`batches of ${batchSize}`, batchedMs, program === 'python, empty' ? 3 : undefined),
  ]
}

/** What is said of ours beside the peers, at a concurrency equal to the cores. */
export function compareWithPeers(
  rows: readonly (Row & { spread: number })[],
  costs: readonly Cost[],
  cores: number,
): BenchPart[] {
  const find = (program: string, way: string, concurrency: number) =>
    rows.find((row) => row.program === program && row.way === way && row.concurrency === concurrency)
  const parts: BenchPart[] = []
  for (const cost of costs) {
    const { program } = cost
    const http = find(program, 'HTTP', cores)
    if (!http) continue
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
          spread: http.spread,
          ...(aim !== undefined && { aim }),
        })
    }
    const evalplusRow = find(program, 'EvalPlus', cores)
    if (evalplusRow) parts.push(...partsPerCore(cost, evalplusRow))
  }
  const p99 = find(captured, 'HTTP', cores)?.p99
  if (p99 !== undefined)
    parts.push({
      name: `${captured}, ${cores} at a time, p99 (peer: 25 ms)`,
      unit: 'ms',
      ours: p99,
      peer: 25,
      ratio: 25 / p99,
      aim: 1,
    })
  return parts
}

/** All figures; the runners' memory; what is missing, and why. */
export function notesOf(
  rows: readonly Row[],
  costs: readonly (Cost & { spread: number })[],
  { count, meanMiB }: ReturnType<Ours['runners']>,
  missing: readonly string[],
): string {
  const lines = rows.map(({ program, way, concurrency, perSecond, p50, p95, p99 }) =>
    [
      program,
      way,
      concurrency,
      fixed(perSecond),
      ...(way.includes('batch') ? ['', '', ''] : [p50, p95, p99].map(fixed)),
    ].join(' | '),
  )
  return [
    '| program | way | at a time | programs/s | p50 ms | p95 ms | p99 ms |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n' +
      lines.map((line) => `| ${line} |`).join('\n'),
    `| program | CPU of the service, ms | CPU of the jails, ms | CPU of the embedded servers, ms | of all, ms | spread over the rounds, ms | of all in batches of ${batchSize}, ms |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n` +
      costs
        .map(({ program, hostMs, jailMs, serversMs, allMs, spread, batchedMs }) => {
          const figures = [hostMs, jailMs, serversMs, allMs, spread, batchedMs]
          return `| ${program} | ${figures.map(fixed).join(' | ')} |`
        })
        .join('\n'),
    `Private memory of a warm runner: ${fixed(meanMiB)} MiB (${count} runners).`,
    ...missing,
  ].join('\n\n')
}

/** Answers are wanted within this time, in milliseconds. */
const patience = 50

export function answerParts(answers: ReadonlyMap<string, Load>): BenchPart[] {
  return [...answers].flatMap(([program, { p50, p99 }]) =>
    Object.entries({ median: p50, p99 }).map(([name, ms]): BenchPart => {
      const what = `${program}, one after the other over HTTP, ${name} (peer: ${patience} ms)`
      return { name: what, unit: 'ms', ours: ms, peer: patience, ratio: patience / ms, aim: 1 }
    }),
  )
}
