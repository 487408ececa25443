/**
 * Reproduces a paper's tables and figures for the command `paper`: the necessary runs, and their
 * presentation. Pure: the command makes each run once in the services, so an interrupted reproduction
 * continues.
 */
import {
  type BenchmarkResource,
  builtInModels,
  type BuildRequest,
  type EvaluationRequest,
  type GenerationCoverage,
  type GenerationRequest,
  type Language,
  type Model,
  type Report,
  type ReportResult,
} from '@stateeval/contracts'
import type { BracketedRate } from './format.ts'
import type { PaperTables, PublishedTables, ShownParts, TitledTable } from './presentation.ts'

/** The command's request. */
export interface PaperRequest {
  /** Ids of exhibits, in the paper's order. */
  exhibits: readonly string[]
  /** Models under test, and models that play a baseline of the paper. */
  models: readonly string[]
  baselines: readonly string[]
  scenarios: readonly string[]
  /** Programs to generate for each scenario, and cases to keep of them. */
  programs: number
  keep: number
  /** Answers for each case. */
  samples: number
  /** Seeds that curves are averaged over. */
  repeats: number
  seed: number | string
  language?: Language
  /** The paper's own tables, to stand beside, where the user has them. */
  published?: PublishedTables
  /**
   * Layouts by model: the kind of model that its prompts are laid out for, where the kind's own mapping errs.
   */
  layouts?: Readonly<Record<string, string>>
}

/** A run in the services. Its name is unique within the kind. */
export type PaperRun = { name: string } & (
  | { what: 'generation'; request: GenerationRequest }
  | { what: 'benchmark'; request: { kind?: string; build: BuildRequest } }
  /** The kind's published data, which the user has. */
  | { what: 'dataset' }
  /** `benchmark` is the name of the run that made it. */
  | { what: 'evaluation'; benchmark: string; request: Omit<EvaluationRequest, 'benchmark'> }
  /** How long the prompts of a set of programs are without the API documentation. */
  | { what: 'prompts'; benchmark: string; language?: Language }
  | { what: 'model'; model: string }
)

export type PaperResult =
  | { what: 'generation'; coverage: GenerationCoverage }
  | { what: 'benchmark'; benchmark: BenchmarkResource }
  | { what: 'evaluation'; report: Report }
  /** cl100k_base tokens, case by case. */
  | { what: 'prompts'; tokens: readonly number[] }
  | { what: 'model'; model: Model }
/** Results by the names of the runs. */
export type PaperResults = ReadonlyMap<string, PaperResult>

/** A drawing of a table's content. Shares are from 0 to 1. */
export type PaperPlot =
  /** Curves over 1, 2, 3, …; `low` and `high` bound what was seen. */
  | {
      form: 'curves'
      label: string
      x: string
      curves: {
        name: string
        values: readonly number[]
        low?: readonly number[]
        high?: readonly number[]
      }[]
    }
  /** Rates with their intervals. */
  | {
      form: 'rates'
      label: string
      rows: (BracketedRate & { name: string; interval: readonly [number, number] | null })[]
    }
  | ({ form: 'parts' } & ShownParts)

/** A table or a figure of the paper. */
export interface PaperExhibit {
  id: string
  title: string
  tables: TitledTable[]
  plots: PaperPlot[]
  /** Sentences that a reader needs beside it. */
  notes: string[]
}

export interface PaperReproduction {
  /** How the paper is cited. */
  paper: string
  /** In the paper's order; `shows` completes "Table I: …". */
  exhibits: readonly { id: string; shows: string }[]
  /** True if it shows scenarios for which programs are generated. */
  ofScenarios: boolean
  /**
   * Lists the runs to make. It is asked again with the results so far, until it names no further run: so a
   * run may depend on the results of an earlier one.
   */
  runs(request: PaperRequest, results: PaperResults): PaperRun[]
  /** The exhibits that are asked for, once everything was run. */
  show(request: PaperRequest, results: PaperResults): PaperExhibit[]
}

const createMissingResultError = (name: string) => new TypeError(`the run ${name} has no such result`)
/** The result of a run; a run with this name and form must have ended. */
export function getCoverageResult(results: PaperResults, name: string): GenerationCoverage {
  const result = results.get(name)
  if (result?.what !== 'generation') throw createMissingResultError(name)
  return result.coverage
}
export function getBenchmarkResult(results: PaperResults, name: string): BenchmarkResource {
  const result = results.get(name)
  if (result?.what !== 'benchmark') throw createMissingResultError(name)
  return result.benchmark
}
export function getReportResult(results: PaperResults, name: string): Report {
  const result = results.get(name)
  if (result?.what !== 'evaluation') throw createMissingResultError(name)
  return result.report
}
export function getPromptTokens(results: PaperResults, name: string): readonly number[] {
  const result = results.get(name)
  if (result?.what !== 'prompts') throw createMissingResultError(name)
  return result.tokens
}
export function getModelResult(results: PaperResults, name: string): Model {
  const result = results.get(name)
  if (result?.what !== 'model') throw createMissingResultError(name)
  return result.model
}

const isBuiltIn = (model: string) => (builtInModels as readonly string[]).includes(model)

/** An exhibit: each model once under these options, or what the evaluations of others show together. */
type TableVariant = { id: string; shows: string } & (
  | { options: Omit<EvaluationRequest, 'benchmark' | 'model'> }
  | {
      compares: readonly string[]
      tables: (results: readonly ReportResult[], policy: string) => TitledTable[]
    }
)

/** The reproduction for a kind whose tables show evaluations of its published data. */
export function buildTableReproduction(
  paper: string,
  tables: PaperTables,
  variants: readonly TableVariant[],
  layoutOf: (model: string) => string | undefined = () => undefined,
): PaperReproduction {
  const set = 'published data'
  const nameOf = (id: string, model: string) => `${id} of ${model}`
  const requestedVariants = ({ exhibits }: PaperRequest) => variants.filter(({ id }) => exhibits.includes(id))
  /** Each variant that is evaluated, once. */
  const evaluatedVariants = (request: PaperRequest) => {
    const needed = new Set(
      requestedVariants(request).flatMap((one) => ('options' in one ? one.id : one.compares)),
    )
    return variants.flatMap((one) => ('options' in one && needed.has(one.id) ? [one] : []))
  }
  return {
    paper,
    exhibits: variants.map(({ id, shows }) => ({ id, shows })),
    ofScenarios: false,
    runs: (request) => [
      { name: set, what: 'dataset' },
      ...evaluatedVariants(request).flatMap(({ id, options }) =>
        request.models.map((model): PaperRun => {
          const { settings, ...others } = options
          // Generation settings are for models that are asked.
          const layout = request.layouts?.[model] ?? (isBuiltIn(model) ? undefined : layoutOf(model))
          const modelOptions = {
            ...others,
            ...(settings && !isBuiltIn(model) && { settings }),
            ...(layout !== undefined && { layout }),
          }
          return {
            name: nameOf(id, model),
            what: 'evaluation',
            benchmark: set,
            request: { ...modelOptions, model, samples: request.samples },
          }
        }),
      ),
    ],
    show: (request, results) =>
      requestedVariants(request).map((variant): PaperExhibit => {
        const { id, shows } = variant
        const [policy = ''] = tables.policies
        const { published = { tables: {} } } = request
        const resultsOf = (one: string) =>
          request.models.map((model) => getReportResult(results, nameOf(one, model)).result)
        const common = { id, title: shows, notes: [] }
        if ('compares' in variant)
          return { ...common, tables: variant.tables(variant.compares.flatMap(resultsOf), policy), plots: [] }
        const evaluated = resultsOf(id)
        return {
          ...common,
          tables: tables.tables(evaluated, policy, published),
          plots: tables.plots?.(evaluated, policy, published) ?? [],
        }
      }),
  }
}
