/** Makes the runs that a paper's tables need, one after the other, until nothing is missing. */
import type {
  PaperRequest,
  PaperResult,
  PaperResults,
  PaperRun,
  PaperReproduction,
} from '@stateeval/program/presentation'

/** Makes one run, or finds an earlier one. `sets`: ids of benchmarks by the names of their runs. */
export type MakeRun = (
  run: PaperRun,
  sets: ReadonlyMap<string, string>,
) => Promise<{ result: PaperResult; id: string }>

interface PaperRuns {
  results: PaperResults
  /** Ids of generations, benchmarks and evaluations, by the names of their runs. */
  ids: Record<string, string>
}

export async function runPaper(
  { runs }: Pick<PaperReproduction, 'runs'>,
  request: PaperRequest,
  make: MakeRun,
): Promise<PaperRuns> {
  const results = new Map<string, PaperResult>()
  const sets = new Map<string, string>()
  const ids: Record<string, string> = {}
  for (;;) {
    const next = runs(request, results).find(({ name }) => !results.has(name))
    if (!next) return { results, ids }
    const { result, id } = await make(next, sets)
    results.set(next.name, result)
    ids[next.name] = id
    if (next.what === 'benchmark' || next.what === 'dataset') sets.set(next.name, id)
  }
}
