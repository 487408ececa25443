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
  type ReportResult,
} from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { connectEvaluation, connectTranslation } from '../suite/index.ts'
import { createCounter } from '../suite/counter.ts'
import { readEveryPage } from '../suite/pages.ts'
import { evaluateHere, type EvaluationPlace } from '../suite/evaluate-here.ts'
import type { CommandTerminal } from '../terminal.ts'

interface MeasuringContext extends EvaluationPlace {
  manifest: Manifest
}
type ReplayProof = CertificateStatement['replay'][number]
type CertificateFigures = Pick<CertificateStatement, 'version' | 'replay' | 'mutation' | 'roundTrip'>

const buildReplayProof = (resource: { options: ReplayProof['options'] }, result: ReportResult) => ({
  options: resource.options,
  result: computeContentId(result),
})

/** Languages in which the set was built; undefined stands for the benchmark's own. */
function listCertifiedLanguages({ options }: Manifest): (EvaluationRequest['language'] | undefined)[] {
  const { languages } = options as { languages?: EvaluationRequest['language'][] }
  return Array.isArray(languages) && languages.length > 0 ? languages : [undefined]
}

async function measureReplay(
  measuring: MeasuringContext,
): Promise<{ replay: ReplayProof[]; version: string }> {
  const replay: ReplayProof[] = []
  let version = ''
  for (const language of listCertifiedLanguages(measuring.manifest)) {
    const { resource, report } = await evaluateHere(measuring, {
      model: 'reference',
      ...(language && { language }),
    })
    const { result } = report
    const { passed, scored } = result.overall
    version = result.version
    replay.push({
      ...buildReplayProof(resource, result),
      cases: scored + result.notScored,
      passed,
      notScored: result.notScored,
    })
  }
  return { replay, version }
}

async function measureMutation(
  measuring: MeasuringContext,
  samples: number,
  seed: number | string,
): Promise<CertificateFigures['mutation']> {
  const { resource, report } = await evaluateHere(measuring, { model: 'mutant', samples, seed })
  const { result } = report
  const { mutation } = result
  if (!mutation) return null
  const { caught, survived, equivalent, disputed, score } = mutation
  const mutants = result.samples.filter((one) => one.mutant).length
  const notScored = mutants - caught - survived - equivalent - disputed
  return {
    ...buildReplayProof(resource, result),
    ...{ mutants, caught, survived, equivalent, disputed, notScored, score },
  }
}

/** Instructions of programs, each read back by translation's parser. */
async function measureRoundTrip({
  benchmark,
  terminal,
}: MeasuringContext): Promise<CertificateFigures['roundTrip']> {
  const client = connectEvaluation()
  const params = { id: benchmark }
  const others: string[] = []
  let cases = 0
  const all = await readEveryPage((query) => client.listBenchmarkCases({ params, query }))
  const tell = createCounter('certificate', all.length, terminal)
  for (const one of all) {
    if (!('program' in one)) return null
    const { program, instruction, id } = one
    tell(cases, 'instructions read back')
    const { verified } = await connectTranslation().verifyTranslation({ body: { program, instruction } })
    cases++
    if (!verified) others.push(id)
  }
  return { cases, verified: cases - others.length, others }
}

/** Measures every reproducible figure. `samples`: mutants per case. */
export async function measureFigures(
  measuring: MeasuringContext,
  { samples, seed }: { samples: number; seed: number | string },
): Promise<CertificateFigures> {
  return {
    ...(await measureReplay(measuring)),
    mutation: await measureMutation(measuring, samples, seed),
    roundTrip: await measureRoundTrip(measuring),
  }
}

/** Cases that no sample of any model passed, over all evaluations of the set that succeeded. */
export async function listFailedByAll(
  digest: string,
  terminal: CommandTerminal,
): Promise<CertificateStatement['failedByAll']> {
  const client = connectEvaluation()
  const models: CertificateStatement['failedByAll']['models'] = []
  const openCases = new Map<string, boolean>()
  const all = (await readEveryPage((query) => client.listEvaluations({ query }))).filter(
    ({ digest: of, status, model }) =>
      of === digest && status === 'succeeded' && model !== 'reference' && model !== 'mutant',
  )
  const tell = createCounter('certificate', all.length, terminal)
  for (const [at, one] of all.entries()) {
    tell(at, 'reports of models read')
    const { result } = await client.getEvaluationReport({ params: { id: one.id } })
    models.push({ model: one.model, ...buildReplayProof(one, result) })
    for (const { case: id, score } of result.samples)
      if (score) openCases.set(id, (openCases.get(id) ?? true) && !score.passed)
  }
  return { models, cases: [...openCases].flatMap(([id, failed]) => (failed ? [id] : [])) }
}

/** Differences from a certificate's figures, as sentences. */
export function listFigureDifferences(certified: CertificateFigures, here: CertificateFigures): string[] {
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
export function checkReplay({ replay }: CertificateFigures): void {
  const failing = replay.find(({ cases, passed }) => passed < cases)
  if (failing)
    throw new Failure(
      `the references pass in ${failing.passed} of ${failing.cases} cases, and a certificate needs all of them`,
      1,
    )
}
