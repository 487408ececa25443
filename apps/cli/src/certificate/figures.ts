/**
 * The figures of a certificate, measured on a suite: replayed references, mutants, and the round trip of
 * instructions.
 */
import {
  canonicalJson,
  type CertificateStatement,
  computeContentId,
  type EvaluationRequest,
  type Manifest,
  type Report,
  type ReportResult,
} from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { evaluation, translation } from '../suite/index.ts'
import { createCounter } from '../suite/counter.ts'
import { everyPage } from '../suite/pages.ts'
import { watch } from '../suite/watch.ts'
import type { Terminal } from '../terminal.ts'

interface Measuring {
  benchmark: string
  manifest: Manifest
  terminal: Terminal
  signal: AbortSignal
}
type Replay = CertificateStatement['replay'][number]
export type Figures = Pick<CertificateStatement, 'version' | 'replay' | 'mutation' | 'roundTrip'>

const proofOf = (resource: { options: Replay['options'] }, result: ReportResult) => ({
  options: resource.options,
  result: computeContentId(result),
})

/** An evaluation that is begun here, and what it came to. */
async function evaluated({ benchmark, terminal, signal }: Measuring, request: Partial<EvaluationRequest>) {
  const client = evaluation()
  const first = await client.createEvaluation({ body: { benchmark, ...request } })
  const params = { id: first.id }
  const resource = await watch(
    {
      title: `evaluation of ${request.model}`,
      first,
      get: () => client.getEvaluation({ params }),
      later: `npx stateeval resume ${first.id}`,
    },
    terminal,
    signal,
  )
  const report: Report = await client.getEvaluationReport({ params })
  return { resource, result: report.result }
}

/** Languages in which the set was built; undefined stands for the benchmark's own. */
function languagesOf({ options }: Manifest): (EvaluationRequest['language'] | undefined)[] {
  const { languages } = options as { languages?: EvaluationRequest['language'][] }
  return Array.isArray(languages) && languages.length > 0 ? languages : [undefined]
}

async function replayOf(measuring: Measuring): Promise<{ replay: Replay[]; version: string }> {
  const replay: Replay[] = []
  let version = ''
  for (const language of languagesOf(measuring.manifest)) {
    const { resource, result } = await evaluated(measuring, {
      model: 'reference',
      ...(language && { language }),
    })
    const { passed, scored } = result.overall
    version = result.version
    replay.push({
      ...proofOf(resource, result),
      cases: scored + result.notScored,
      passed,
      notScored: result.notScored,
    })
  }
  return { replay, version }
}

async function mutationOf(
  measuring: Measuring,
  samples: number,
  seed: number | string,
): Promise<Figures['mutation']> {
  const { resource, result } = await evaluated(measuring, { model: 'mutant', samples, seed })
  const { mutation } = result
  if (!mutation) return null
  const { caught, survived, equivalent, disputed, score } = mutation
  const mutants = result.samples.filter((one) => one.mutant).length
  const notScored = mutants - caught - survived - equivalent - disputed
  return {
    ...proofOf(resource, result),
    ...{ mutants, caught, survived, equivalent, disputed, notScored, score },
  }
}

/** Instructions of programs, each read back by translation's parser. */
async function roundTripOf({ benchmark, terminal }: Measuring): Promise<Figures['roundTrip']> {
  const client = evaluation()
  const params = { id: benchmark }
  const others: string[] = []
  let cases = 0
  const all = await everyPage((query) => client.listBenchmarkCases({ params, query }))
  const tell = createCounter('certificate', all.length, terminal)
  for (const one of all) {
    if (!('program' in one)) return null
    const { program, instruction, id } = one
    tell(cases, 'instructions read back')
    const { verified } = await translation().verifyTranslation({ body: { program, instruction } })
    cases++
    if (!verified) others.push(id)
  }
  return { cases, verified: cases - others.length, others }
}

/** Measures every reproducible figure. `samples`: mutants per case. */
export async function measured(
  measuring: Measuring,
  { samples, seed }: { samples: number; seed: number | string },
): Promise<Figures> {
  return {
    ...(await replayOf(measuring)),
    mutation: await mutationOf(measuring, samples, seed),
    roundTrip: await roundTripOf(measuring),
  }
}

/** Cases that no sample of any model passed, over all evaluations of the set that succeeded. */
export async function failedByAll(
  digest: string,
  terminal: Terminal,
): Promise<CertificateStatement['failedByAll']> {
  const client = evaluation()
  const models: CertificateStatement['failedByAll']['models'] = []
  const isOpen = new Map<string, boolean>()
  const all = (await everyPage((query) => client.listEvaluations({ query }))).filter(
    ({ digest: of, status, model }) =>
      of === digest && status === 'succeeded' && model !== 'reference' && model !== 'mutant',
  )
  const tell = createCounter('certificate', all.length, terminal)
  for (const [at, one] of all.entries()) {
    tell(at, 'reports of models read')
    const { result } = await client.getEvaluationReport({ params: { id: one.id } })
    models.push({ model: one.model, ...proofOf(one, result) })
    for (const { case: id, score } of result.samples)
      if (score) isOpen.set(id, (isOpen.get(id) ?? true) && !score.passed)
  }
  return { models, cases: [...isOpen].flatMap(([id, failed]) => (failed ? [id] : [])) }
}

/** Differences from a certificate's figures, as sentences. */
export function differences(certified: Figures, here: Figures): string[] {
  const names = ['version', 'replay', 'mutation', 'roundTrip'] as const
  return names.flatMap((name) =>
    canonicalJson(certified[name]) === canonicalJson(here[name])
      ? []
      : [
          `${name} is ${canonicalJson(here[name])} here, and ${canonicalJson(certified[name])} in the certificate`,
        ],
  )
}

/** Throws a Failure if a set cannot be certified because its own references fail. */
export function checkReplay({ replay }: Figures): void {
  const failing = replay.find(({ cases, passed }) => passed < cases)
  if (failing)
    throw new Failure(
      `the references pass in ${failing.passed} of ${failing.cases} cases, and a certificate needs all of them`,
      1,
    )
}
