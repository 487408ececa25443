/** What the bench executes and scores: an answer to each task, right and wrong in turn. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wapiibench } from '@stateeval/benchmark-wapiibench'
import {
  type Candidate,
  type EpisodeOptions,
  type ExecutionRequest,
  buildExecutionRequest,
  type Observation,
  type Score,
  type TaskCase,
} from '@stateeval/contracts'
import { type Benchmark, type DatasetSet, getFirstAnswer, runEpisode, oneAnswer } from '@stateeval/program'

export interface PreparedSample {
  case: TaskCase
  answer: string
  candidate: Candidate
  requests: ExecutionRequest[]
}
const files = ['asana', 'google_calendar_v3', 'google_sheet_v4', 'slack'].flatMap((api) => [
  `tasks/${api}.json`,
  `specs/${api}.yaml`,
])

/** The published data; an error that says how to get them. */
export function readData(): Record<string, string> {
  const folder = join(process.env['STATEEVAL_DATASETS'] ?? 'datasets', 'wapiibench')
  if (!existsSync(join(folder, files[0]!)))
    throw new Error(
      'set STATEEVAL_DATASETS to the folder with the published data; scripts/datasets --download wapiibench FOLDER gets them',
    )
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

/** Ways in which answers go wrong, beside the right one; every one of them is a call that runs. */
const changes: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => code.replace(/'Bearer <token>'/, `'Bearer YOUR_TOKEN'`),
  (code) =>
    code.replace(
      /\);\n$/,
      `)\n  .then((response) => console.log(response.data))\n  .catch((error) => console.error(error));\n`,
    ),
  (code) => code.replace(/'Authorization'/, `'authorization'`),
  (code) => code.replace(/axios\.(get|post|put|delete|patch)\('(https:[^']*)'/, `axios.$1('$2/more'`),
  (code) => code.replace(/'params': \{/, `'params': {\n    'verbose': true,`),
]

export async function candidatesOf({
  lines,
  artifacts,
}: DatasetSet): Promise<{ benchmark: Benchmark; candidates: PreparedSample[] }> {
  const benchmark: Benchmark = wapiibench({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => artifacts[hash]!,
  })
  const candidates: PreparedSample[] = []
  for (const [n, line] of lines.entries()) {
    const c = benchmark.parse(line) as TaskCase
    const answer = changes[n % changes.length]!(getFirstAnswer(benchmark.player(c, options))!)
    candidates.push({ case: c, answer, ...(await readOf(benchmark, c, answer)) })
  }
  return { benchmark, candidates }
}

const options: EpisodeOptions = { language: 'javascript', prompting: 'direct', documentation: 'none' }

/** The programs that an answer is read as, without running them, and the candidate as if they had run. */
export async function readOf(
  benchmark: Benchmark,
  c: TaskCase,
  answer: string,
): Promise<Pick<PreparedSample, 'candidate' | 'requests'>> {
  const requests: ExecutionRequest[] = []
  const { candidate } = await runEpisode(benchmark.episode, c, options, {
    reply: oneAnswer(answer),
    execute(request) {
      requests.push(buildExecutionRequest(request))
      return { observations: [], runtime: '' }
    },
  })
  return { candidate, requests }
}

/** The score of a candidate whose programs showed these observations, one each. */
export const scored = (
  benchmark: Benchmark,
  { case: c, candidate }: PreparedSample,
  observations: Observation[],
): Score =>
  benchmark.score({
    case: c,
    candidate: { ...candidate, runs: observations.map((one) => ({ observations: [one], runtime: '' })) },
  })
