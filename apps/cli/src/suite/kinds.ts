/** What kinds of benchmarks there are, as help texts and errors name them. */
import { presentations } from '@stateeval/benchmarks/presentations'
import type { KindOption, Presentation } from '@stateeval/program/presentation'

export const presentationOf = (kind: string): Presentation | undefined =>
  presentations.find((one) => one.kind === kind)

/** The kinds that have something, by name. */
export const kindsWith = (has: keyof Presentation): string[] =>
  presentations.flatMap((one) => (one[has] === undefined ? [] : [one.kind]))

/** What published data are imported as, by name. */
export const datasetNames = (): string[] =>
  presentations.flatMap(({ kind, dataset }) => (dataset ? [dataset.name ?? kind] : []))
/** Whose published data have this name. */
export const presentationOfDataset = (name: string): Presentation | undefined =>
  presentations.find(({ kind, dataset }) => dataset && (dataset.name ?? kind) === name)

/** The kinds whose sets are built from such a thing; the first is the default. */
export const kindsBuiltFrom = (source: NonNullable<Presentation['builtFrom']>): string[] =>
  presentations.flatMap(({ kind, builtFrom }) => (builtFrom === source ? [kind] : []))

const helps = (option: KindOption, says: (kind: string, help: string) => string, between: string) =>
  presentations
    .flatMap(({ kind, options }) => (options?.[option] === undefined ? [] : [says(kind, options[option])]))
    .join(between)

/** 'of wapiibench: full or arguments completion (full)'. */
export const optionHelp = (option: Exclude<KindOption, 'timeLimit'>) =>
  helps(option, (kind, help) => `of ${kind}: ${help}`, '; ')
/** '10; wapiibench 5': seconds that code may run, by default and by kind. */
export const timeLimits = () =>
  ['10', helps('timeLimit', (kind, seconds) => `${kind} ${seconds}`, '; ')].filter(Boolean).join('; ')
