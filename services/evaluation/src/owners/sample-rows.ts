/** Samples as rows of a table: made from what is stored of an evaluation, and filtered in memory. */
import type {
  BenchmarkCase,
  ReportResult,
  SampleRow,
  SampleTable,
  SampleTableQuery,
  ScoredSample,
} from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import type { Artifacts, Memory } from '@stateeval/service-kit'
import type { EvaluationOwner } from './owner.ts'
import type { Owners } from './owners.ts'
import type { Sets } from './sets.ts'
import { type OutcomeReader, outcomesSoFar } from './stage.ts'

export interface RowSources extends OutcomeReader {
  owners: Pick<Owners, 'benchmark'>
  sets: Sets
  artifacts: Artifacts
  /** Of the evaluations that are looked at now: each may have 100 000 rows. */
  rowCache: Memory
}

/** A row with what is searched in, in lower case. */
export interface Indexed {
  row: SampleRow
  text: string
}

/** Characters of an instruction that are searched in, and of a reason that are shown. */
const [searched, shown] = [400, 200]

/** All rows of an evaluation, in the order of their places: kept once it has its report. */
export function rowsOf(context: RowSources, owner: EvaluationOwner): Promise<readonly Indexed[]> {
  const { ended } = owner
  if (!ended) return indexed(context, owner, () => scoredSoFar(context, owner))
  const samples = async () => ((await context.artifacts.getJson(ended.result)) as ReportResult).samples
  return context.rowCache(`rows/${owner.id}/${ended.result}`, () => indexed(context, owner, samples))
}

const scoredSoFar = async (context: OutcomeReader, owner: EvaluationOwner): Promise<ScoredSample[]> =>
  owner.stages['samples']
    ? outcomesSoFar<SampleOutcome, ScoredSample>(context, owner, 'samples', ({ scored }) => scored)
    : []

async function indexed(
  context: RowSources,
  { benchmark, options }: EvaluationOwner,
  read: () => Promise<readonly ScoredSample[]>,
): Promise<Indexed[]> {
  const samples = await read()
  const cases = (await context.owners.benchmark(benchmark)) ? await context.sets.ids(benchmark) : null
  const placeOf = new Map(cases?.map((id, n) => [id, n]))
  const about = await casesOf(context, benchmark, samples, placeOf)
  return samples.map((one, at) => {
    const n = placeOf.get(one.case)
    const { group = '', instruction = '' } = about.get(one.case) ?? {}
    const row: SampleRow = {
      place: n === undefined ? at : n * options.samples + one.sample,
      case: one.case,
      sample: one.sample,
      group,
      ...judged(one),
    }
    const { case: id, verdict, cause = '', says } = row
    return { row, text: `${id} ${verdict ?? ''} ${cause} ${says} ${instruction}`.toLowerCase() }
  })
}

function judged({ score, notScored = '' }: ScoredSample) {
  if (!score) return { passed: null, verdict: null, says: notScored.slice(0, shown) }
  const { error, differences, rootCause } = score.evidence
  const says = error ? `${error.name}: ${error.message}` : (differences[0]?.says ?? rootCause?.because ?? '')
  return {
    passed: score.passed,
    verdict: score.verdict,
    ...(rootCause && { cause: rootCause.cause }),
    says: score.passed ? '' : says.slice(0, shown),
  }
}

/** Cases that are read at once. */
const inParallel = 16

/** What rows say of the cases of these samples. */
async function casesOf(
  { sets }: Pick<RowSources, 'sets'>,
  benchmark: string,
  samples: readonly ScoredSample[],
  placeOf: ReadonlyMap<string, number>,
): Promise<Map<string, { group: string; instruction: string }>> {
  const about = new Map<string, { group: string; instruction: string }>()
  const names = [...new Set(samples.map((one) => one.case))].filter((name) => placeOf.has(name)).values()
  const worker = async () => {
    for (const name of names) {
      const c = await sets.case(benchmark, placeOf.get(name) as number)
      about.set(name, { group: groupOf(c), instruction: c.instruction.slice(0, searched) })
    }
  }
  await Promise.all(Array.from({ length: inParallel }, worker))
  return about
}
const groupOf = (c: BenchmarkCase) => ('group' in c ? c.group : c.scenario)

/** A page of the rows that fit, and counts of all. */
export function tableOf(rows: readonly Indexed[], query: SampleTableQuery): SampleTable {
  const { from = 0, limit = 50, passed, verdict, cause, group, search = '' } = query
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const wanted = { yes: true, no: false, 'not scored': null } as const
  const fits = ({ row, text }: Indexed) =>
    (passed === undefined || row.passed === wanted[passed]) &&
    (verdict === undefined || row.verdict === verdict) &&
    (cause === undefined || row.cause === cause) &&
    (group === undefined || row.group === group) &&
    words.every((word) => text.includes(word))
  const fitting = rows.filter(fits)
  return {
    ended: rows.length,
    total: fitting.length,
    items: fitting.slice(from, from + limit).map(({ row }) => row),
    verdicts: countsBy(rows, (row) => row.verdict),
    causes: countsBy(rows, (row) => row.cause),
    groups: countsBy(rows, (row) => row.group),
  }
}

function countsBy(rows: readonly Indexed[], of: (row: SampleRow) => string | null | undefined) {
  const counts = new Map<string, number>()
  for (const { row } of rows) {
    const name = of(row)
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
