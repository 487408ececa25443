/** The available kinds of benchmarks, for help texts and errors. */
import { presentations } from '@stateeval/benchmarks/presentations'
import type { KindOption, ReportPresentation } from '@stateeval/program/presentation'

export const findPresentation = (kind: string): ReportPresentation | undefined =>
  presentations.find((one) => one.kind === kind)

/** The names of kinds that have a feature. */
export const listKindsByFeature = (has: keyof ReportPresentation): string[] =>
  presentations.flatMap((one) => (one[has] === undefined ? [] : [one.kind]))

/** The names of published data that can be imported. */
export const listDatasetNames = (): string[] =>
  presentations.flatMap(({ kind, dataset }) => (dataset ? [dataset.name ?? kind] : []))
/** The presentation of the benchmark whose published data have this name. */
export const findDatasetPresentation = (name: string): ReportPresentation | undefined =>
  presentations.find(({ kind, dataset }) => dataset && (dataset.name ?? kind) === name)

/** The kinds whose sets are built from a source; the first is the default. */
export const listKindsBySource = (source: NonNullable<ReportPresentation['builtFrom']>): string[] =>
  presentations.flatMap(({ kind, builtFrom }) => (builtFrom === source ? [kind] : []))

const formatKindHelp = (option: KindOption, says: (kind: string, help: string) => string, between: string) =>
  presentations
    .flatMap(({ kind, options }) => (options?.[option] === undefined ? [] : [says(kind, options[option])]))
    .join(between)

/** 'for wapiibench: full or arguments completion (full)'. */
export const formatOptionHelp = (option: Exclude<KindOption, 'timeLimit'>) =>
  formatKindHelp(option, (kind, help) => `for ${kind}: ${help}`, '; ')
/** '10; wapiibench 5': seconds that code may run, by default and by kind. */
export const formatTimeLimits = () =>
  ['10', formatKindHelp('timeLimit', (kind, seconds) => `${kind} ${seconds}`, '; ')]
    .filter(Boolean)
    .join('; ')
