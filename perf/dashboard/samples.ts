/**
 * An evaluation with any number of samples, put where the service itself would have put them: none is run.
 * The cases are those of stateeval's own small set, each under many names.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Case, type Manifest, type Score, sha256 } from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import { noUsage } from '@stateeval/models'
import { createRng } from '@stateeval/program'
import { evaluation } from '@stateeval/service-evaluation'
import { createLog, startService, writeObject } from '@stateeval/service-kit'
import { formatItemId } from '@stateeval/workflow'
import {
  type EvaluationContext,
  type EvaluationParts,
  takeAllParts,
} from '../../services/evaluation/src/context.ts'
import type { EvaluationOwner } from '@stateeval/jobs'
import { completeEvaluationOptions } from '@stateeval/sets'
import { finishReport } from '../../services/evaluation/src/owners/report.ts'

const folder = join(import.meta.dirname, '../../benchmarks/stateeval/sample')
const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n')
const samplesOfCase = 10

const cities = ['Oslo', 'Lima', 'Accra', 'Hanoi', 'Quito', 'Turin', 'Busan', 'Perth', 'Tunis', 'Leeds']
const causes = ['wrong_argument', 'missing_call', 'wrong_key', 'no_such_api', 'wrong_branch']

/** How the n-th sample was judged: about six in ten pass. */
function scoreOf(n: number): Score {
  const rng = createRng(`dashboard/${n}`)
  const passed = rng.chance(0.6)
  const throws = rng.chance(0.3)
  const verdict = passed ? 'passed' : throws ? 'exception' : 'result_error'
  const cause = rng.pick(causes)
  return {
    passed,
    verdict,
    metrics: { pass: passed ? 1 : 0 },
    evidence: passed
      ? { differences: [] }
      : {
          input: 0,
          differences: [
            {
              where: throws ? 'run' : 'result',
              expected: '4',
              found: String(n % 1000),
              says: throws ? `the run ended with an error ${n}` : `RESULT.added is ${n % 1000}, expected 4`,
            },
          ],
          ...(throws && {
            error: { name: 'TypeError', message: `response_${n % 7} is undefined`, line: 1 + (n % 20) },
          }),
          rootCause: { cause, because: `the call in line ${1 + (n % 20)} is not the reference’s` },
        },
  }
}

/** Stores the evaluation, with its set and its report; gives its id. */
export async function storeSamples(env: Record<string, string>, samples: number): Promise<string> {
  const service = await startService(evaluation, {
    env: { ...env, PORT: '0' },
    log: createLog('evaluation', { level: 'warn' }),
  })
  try {
    return await store(takeAllParts(service.context as EvaluationContext), samples)
  } finally {
    await service.stop()
  }
}

async function store(context: EvaluationParts, samples: number): Promise<string> {
  const [cases, answers] = [linesOf('cases.jsonl'), linesOf('answers.jsonl')]
  const count = Math.ceil(samples / samplesOfCase)
  const own = cases.map((line) => JSON.parse(line) as Case)
  const given = answers
    .map((line) => JSON.parse(line) as { answer?: string })
    .filter(({ answer }) => answer !== undefined)
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const digest = sha256(`dashboard ${count}`)
  const sets = Array.from({ length: count }, (_, n): Case => {
    const { instruction, ...rest } = own[n % own.length] as Case
    const id = `${rest.scenario}-${sha256(`case ${n}`).slice(0, 12)}`
    return { ...rest, id, instruction: `${instruction} The office in ${cities[n % 10]} asked for it.` }
  })
  const benchmark = 'bm_dashboard'
  await context.sets.store(benchmark, {
    lines: sets.map((one) => JSON.stringify(one)),
    ids: sets.map(({ id }) => id),
    readme: 'Cases under many names, to measure the dashboard.',
  })
  const answerOf = (index: number) =>
    `${given[index % given.length]!.answer}\n// try ${index} of ${cities[(index >> 4) % 10]}\n`
  const at = new Date().toISOString()
  await context.owners.create({
    ...{ id: benchmark, entity: 'benchmark', origin: 'import', kind: 'stateeval', status: 'succeeded' },
    ...{ stage: 'set', stages: {}, createdAt: at, manifest: { ...manifest, digest } },
  })
  const all = Array.from({ length: count * samplesOfCase }, (_, index) => ({
    case: sets[Math.floor(index / samplesOfCase)]!.id,
    sample: index % samplesOfCase,
    answer: answerOf(index),
  }))
  const owner: EvaluationOwner = {
    ...{ id: context.newId('ev'), entity: 'evaluation', status: 'running', createdAt: at, benchmark },
    set: { digest, kind: 'stateeval', cases: count },
    model: { kind: 'given', label: 'measured', answers: await context.artifacts.putJson(all) },
    options: completeEvaluationOptions(context.benchmark('stateeval'), { samples: samplesOfCase }),
    stage: 'samples',
    stages: { samples: { total: count * samplesOfCase, partitions: 64 } },
  }
  await context.owners.create(owner)
  const storeOne = async (index: number) => {
    const outcome: SampleOutcome = {
      scored: {
        case: sets[Math.floor(index / samplesOfCase)]!.id,
        sample: index % samplesOfCase,
        score: scoreOf(index),
      },
      answer: answerOf(index),
      ...{ retries: 0, runtimes: ['node'], usage: noUsage, finish: 'stop' },
    }
    // Sums of a partition are told while samples run, which these never did.
    const counts = { items: 1 + Math.floor(index / 64), passed: 0, notScored: 0 }
    const id = formatItemId({ workflow: owner.id, stage: 'samples', index })
    await context.results.put(id, writeObject({ counts, payload: { inline: outcome } }))
  }
  const indexes = Array.from({ length: count * samplesOfCase }, (_, index) => index).values()
  const worker = async () => {
    for (const index of indexes) await storeOne(index)
  }
  await Promise.all(Array.from({ length: 128 }, worker))
  await finishReport(context, owner)
  return owner.id
}
