/**
 * 395 candidates of WAPIIBench executed in our sandbox and scored, beside one fresh `node` process for each
 * as the published evaluator has it, in the same run and with the same scoring; and how fast scoring alone
 * is. Options: --part N (1): every n-th candidate only, for a quick look. Needs the published data
 * (STATEEVAL_DATASETS).
 */
import { availableParallelism } from 'node:os'
import type { Observation, Score } from '@stateeval/contracts'
import { wapiibench } from '@stateeval/benchmark-wapiibench'
import { startServers } from '@stateeval/testkit'
import type { Bench } from './result.ts'
import { startOurs } from './sandbox/ours.ts'
import { type PreparedSample, candidatesOf, readData, readOf, scored } from './wapiibench/candidates.ts'
import { runFresh } from './wapiibench/fresh.ts'

const cores = availableParallelism()
/** Requests of the batch endpoint hold so many programs at most. */
const batchSize = 100
const scoringMs = 4_000

export async function run(options: string[]): Promise<Bench> {
  const part = Number(options[options.indexOf('--part') + 1]) || 1
  const descriptor = wapiibench({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
  })
  const all = await candidatesOf(descriptor.building!.fromDataset!(readData()))
  const { benchmark } = all
  const candidates = all.candidates.filter((_, n) => n % part === 0)
  const servers = await startServers()
  const ours = await startOurs(servers, cores)
  try {
    // As in a service that has been running: the first round is not counted. Both sides read and score
    // within the time.
    const inJails = () => timed(() => execute(candidates, (requests) => ours.observe(requests)))
    await inJails()
    const jailedRuns = [await inJails(), await inJails(), await inJails()].sort((a, b) => a.ms - b.ms)
    const jailedRun = jailedRuns[1]!
    const freshRun = await timed(() => executeFresh(candidates))
    const judge = (observations: readonly Observation[][]) =>
      candidates.map((candidate, n) => scored(benchmark, candidate, observations[n]!))
    // Compiles the code that scores, for both sides.
    judge(jailedRun.value)
    const [here, there] = [
      await timed(() => Promise.resolve(judge(jailedRun.value))),
      await timed(() => Promise.resolve(judge(freshRun.value))),
    ]
    const different = here.value.flatMap((score, n) =>
      textOf(score) === textOf(there.value[n]!) ? [] : [candidates[n]!.case.id],
    )
    if (different.length > 0)
      throw new Error(
        `${different.length} verdicts differ between the two ways: ${different.slice(0, 10).join(', ')}`,
      )
    const reading = await timed(async () => {
      for (const { case: c, answer } of candidates) await readOf(benchmark, c, answer)
    })
    const secondsOf = (executing: { ms: number }, scoring: { ms: number }) =>
      (reading.ms + executing.ms + scoring.ms) / 1000
    const ourSeconds = secondsOf(jailedRun, here)
    const theirSeconds = secondsOf(freshRun, there)
    const verdicts = verdictsPerSecond(() => judge(jailedRun.value))
    const runs = candidates.reduce((sum, { requests }) => sum + requests.length, 0)
    const rate = (seconds: number) => candidates.length / seconds
    return {
      about: `${candidates.length} candidates of WAPIIBench (${runs} programs) read, executed and scored by both policies: in warm forks of the sandbox over HTTP (the median of three rounds, after one that is not counted), and in one fresh node process for each program without a jail, ${cores} at a time; both without NODE_EXTRA_CA_CERTS. All verdicts, counters and explanations are equal.`,
      parts: [
        {
          name: 'candidates, executed and scored',
          unit: 'candidates/s',
          ours: rate(ourSeconds),
          peer: rate(theirSeconds),
          ratio: theirSeconds / ourSeconds,
          spread: rate(secondsOf(jailedRuns[0]!, here)) - rate(secondsOf(jailedRuns[2]!, here)),
          aim: 12,
        },
        {
          name: 'scoring alone, one core (peer: the target)',
          unit: 'verdicts/s',
          ours: verdicts,
          peer: 5000,
          ratio: verdicts / 5000,
          aim: 1,
        },
      ],
      notes: `The target ratio is 30; the minimum is 12. Reading: ${reading.ms.toFixed(0)} ms. StateEval: executing ${jailedRun.ms.toFixed(0)} ms, scoring ${here.ms.toFixed(0)} ms. Fresh processes: executing ${freshRun.ms.toFixed(0)} ms, scoring ${there.ms.toFixed(0)} ms.`,
    }
  } finally {
    await ours.stop()
    await servers.stop()
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const startedAt = performance.now()
  const value = await work()
  return { ms: performance.now() - startedAt, value }
}

/** Observations of each candidate, in batches that are under way at the same time. */
async function execute(
  candidates: readonly PreparedSample[],
  observe: (requests: PreparedSample['requests']) => Promise<Observation[]>,
): Promise<Observation[][]> {
  const requests = candidates.flatMap((one) => one.requests)
  const batches = Array.from({ length: Math.ceil(requests.length / batchSize) }, (_, n) =>
    requests.slice(n * batchSize, (n + 1) * batchSize),
  )
  const observations = (await Promise.all(batches.map(observe))).flat()
  let from = 0
  return candidates.map((one) => observations.slice(from, (from += one.requests.length)))
}

async function executeFresh(candidates: readonly PreparedSample[]): Promise<Observation[][]> {
  const observations: Observation[][] = candidates.map(() => [])
  let next = 0
  const worker = async () => {
    for (let n = next++; n < candidates.length; n = next++)
      for (const { code } of candidates[n]!.requests) observations[n]!.push(await runFresh(code))
  }
  await Promise.all(Array.from({ length: cores }, worker))
  return observations
}
/** All that a score says: policies with verdicts, counters and explanations. */
const textOf = ({ verdict, policies }: Score) => JSON.stringify({ verdict, policies })

/** A score has a verdict of each of the two policies. */
function verdictsPerSecond(judgeAll: () => Score[]): number {
  let count = 0
  const startedAt = performance.now()
  while (performance.now() - startedAt < scoringMs) count += 2 * judgeAll().length
  return (count / (performance.now() - startedAt)) * 1000
}
