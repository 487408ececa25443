/** What the bench executes and scores: an answer to each task, right and wrong in turn. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wapiibench } from '@stateeval/benchmark-wapiibench'
import type { ExecutionRequest, Observation, Reading, Score, TaskCase } from '@stateeval/contracts'
import type { Benchmark, DatasetSet } from '@stateeval/program'

export interface Candidate {
  case: TaskCase
  answer: string
  readings: Reading[]
  requests: ExecutionRequest[]
}
const files = ['asana', 'google_calendar_v3', 'google_sheet_v4', 'slack'].flatMap((api) => [`tasks/${api}.json`, `specs/${api}.yaml`])

/** The published data; an error that says how to get them. */
export function readData(): Record<string, string> {
  const folder = join(process.env['STATEEVAL_DATASETS'] ?? 'datasets', 'wapiibench')
  if (!existsSync(join(folder, files[0]!)))
    throw new Error('set STATEEVAL_DATASETS to the folder with the published data; scripts/datasets --download wapiibench FOLDER gets them')
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

/** Ways in which answers go wrong, beside the right one; every one of them is a call that runs. */
const changes: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => code.replace(/'Bearer <token>'/, `'Bearer YOUR_TOKEN'`),
  (code) => code.replace(/\);\n$/, `)\n  .then((response) => console.log(response.data))\n  .catch((error) => console.error(error));\n`),
  (code) => code.replace(/'Authorization'/, `'authorization'`),
  (code) => code.replace(/axios\.(get|post|put|delete|patch)\('(https:[^']*)'/, `axios.$1('$2/more'`),
  (code) => code.replace(/'params': \{/, `'params': {\n    'verbose': true,`),
]

export function candidatesOf({ lines, artifacts }: DatasetSet): { benchmark: Benchmark; candidates: Candidate[] } {
  const benchmark: Benchmark = wapiibench({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => artifacts[hash]!,
  })
  const candidates = lines.map((line, n): Candidate => {
    const c = benchmark.parse(line) as TaskCase
    const answer = changes[n % changes.length]!(benchmark.selfCheck(c, 'javascript')!)
    return { case: c, answer, ...readOf(benchmark, c, answer) }
  })
  return { benchmark, candidates }
}

/** The programs that an answer is read as, without running them. */
export function readOf(benchmark: Benchmark, c: TaskCase, answer: string): Pick<Candidate, 'readings' | 'requests'> {
  const turn = benchmark.episode.start(c, { language: 'javascript', prompting: 'direct', documentation: 'none' })
  if ('done' in turn) throw new Error('the episode asks for nothing')
  const requests: ExecutionRequest[] = []
  let next = benchmark.episode.resume(turn.state, { kind: 'reply', text: answer })
  while ('need' in next) {
    if (next.need.kind !== 'execute') throw new Error('the episode asks twice')
    requests.push(next.need.request)
    next = benchmark.episode.resume(next.state, { kind: 'executed', result: { observations: [nothing], runtime: '' } })
  }
  return { readings: next.done.readings ?? [], requests }
}
const nothing: Observation = {
  ending: { status: 'no_result', reason: '' },
  world: null,
  log: [],
  output: '',
  faults: [],
  wallMs: 0,
  sandbox: '',
}

export const scored = (benchmark: Benchmark, { case: c, answer, readings }: Candidate, observations: Observation[]): Score =>
  benchmark.score({ case: c, candidate: { answer, code: null, readings, observations } })
