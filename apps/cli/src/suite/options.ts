/** Parses numbers and choices from the command line. */
import { DialogueLimits, maxBranches } from '@stateeval/contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** A parser for whole numbers in a range; commander prints its errors. */
export const parseInteger = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new InvalidArgumentError(`use a whole number from ${min} to ${max}`)
  return value
}
export interface NumberRange {
  min?: number
  max?: number
}

/** 5, 3-8, 3- or -8. */
export function parseRange(text: string): NumberRange {
  const [, low, dash, high] = /^(\d{1,3})?(-)?(\d{1,3})?$/.exec(text.trim()) ?? []
  if (dash === undefined && low !== undefined) return { min: Number(low), max: Number(low) }
  if (dash === undefined || (low === undefined && high === undefined))
    throw new InvalidArgumentError('use a number such as 5, or a range such as 3-8, 3- or -8')
  return { ...(low !== undefined && { min: Number(low) }), ...(high !== undefined && { max: Number(high) }) }
}
export const formatRange = ({ min, max }: NumberRange) =>
  min === max ? `${min}` : `${min ?? ''}-${max ?? ''}`

/** A parser for seconds in a range, also fractions; commander prints its errors. */
export const parseSeconds = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value < min || value > max)
    throw new InvalidArgumentError(`use a number of seconds from ${min} to ${max}`)
  return value
}
/** Digits with or without a decimal point. */
const isDecimal = (text: string) => /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)

/** An amount of money, 0 or more. */
export const parseAmount = (text: string) => {
  const value = Number(text)
  if (!isDecimal(text) || !Number.isFinite(value))
    throw new InvalidArgumentError('use an amount such as 2.50')
  return value
}
/** A number up to a maximum, also written as a percentage. */
const parsePortion = (max: number, hint: string) => (text: string) => {
  const isPercentage = text.endsWith('%')
  const figure = isPercentage ? text.slice(0, -1) : text
  const value = isPercentage ? Number(figure) / 100 : Number(figure)
  if (!isDecimal(figure) || value > max) throw new InvalidArgumentError(hint)
  return value
}
/** A share from 0 to 1. */
export const parseShare = parsePortion(1, 'use a share from 0 to 1, such as 0.8 or 80%')
const parseBranches = parsePortion(maxBranches, `use a number from 0 to ${maxBranches}, such as 0.5 or 2`)
/** A seed: a whole number if it is one, otherwise the text itself. */
export const parseSeed = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text)

/** Names separated by commas, without duplicates; the option can be repeated. */
export const parseNames = (text: string, before: readonly string[] = []): string[] => {
  const list = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (list.length === 0) throw new InvalidArgumentError('use names separated by commas')
  return [...new Set([...before, ...list])]
}

/** Values by name, such as api-version=2024-10-21; the option can be repeated. */
export const parseAssignments = (
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('use name=value')
  return { ...before, [name]: value }
}

const limitNames = Object.keys(DialogueLimits.properties)

/** Numbers by name, such as turns=20,seconds=600; the service checks their bounds. */
export const parseLimits = (text: string): DialogueLimits => {
  const parts = text.split(',').map((part) => /^\s*([a-z]+)=(\d+(?:\.\d+)?)\s*$/.exec(part))
  const entries = parts.flatMap((part) => (part ? [[part[1]!, Number(part[2])] as const] : []))
  const values = Object.fromEntries(entries)
  if (
    entries.length < parts.length ||
    Object.keys(values).length < entries.length ||
    entries.some(([name]) => !limitNames.includes(name))
  )
    throw new InvalidArgumentError(
      `use numbers by name, such as turns=20,seconds=600; the names are ${limitNames.join(', ')}`,
    )
  return values
}

/** Options of a scenario, one per use; the service checks names and bounds. */
export const parseScenarioOption = (
  text: string,
  before: Record<string, number> = {},
): Record<string, number> => {
  const [, name, value] = /^([A-Za-z]\w*)=(-?\d{1,15})$/.exec(text) ?? []
  if (name === undefined)
    throw new InvalidArgumentError('use a name and a whole number, such as elements=1024')
  return { ...before, [name]: Number(value) }
}

/** A name, or names by part. */
export function parseJudges(text: string): string | Record<string, string> {
  if (!text.includes('=')) return text
  const parts = text.split(',').map((one) => one.split('='))
  if (parts.some((part) => part.length !== 2 || part.includes('')))
    throw new InvalidArgumentError('name one model, or several as PART=NAME,PART=NAME.')
  return Object.fromEntries(parts) as Record<string, string>
}

/** A new object for each command. */
export const createProviderOption = () =>
  new Option(
    '--provider <provider>',
    'the provider that computes tensors (default: the service’s choice)',
  ).choices(['cuda', 'webgpu', 'cpu'])

/** Values of the options of difficulty. */
export interface DifficultyCommand {
  difficulty?: number
  branches?: number
  pathDepth?: NumberRange
  bindings?: NumberRange
  distractors?: number
}

/** The options of difficulty, in the order in which they are written. */
const difficultyOptions = {
  difficulty: '--difficulty',
  branches: '--branches',
  pathDepth: '--path-depth',
  bindings: '--bindings',
  distractors: '--distractors',
} as const satisfies Record<keyof DifficultyCommand, string>
const listDifficulty = (options: DifficultyCommand) =>
  (Object.keys(difficultyOptions) as (keyof DifficultyCommand)[]).flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [[name, value] as const]
  })

/** Those that are set, as a request has them. */
export const pickDifficulty = (options: DifficultyCommand): DifficultyCommand =>
  Object.fromEntries(listDifficulty(options))

/** The same as they are written on the command line. */
export const formatDifficulty = (options: DifficultyCommand): string[] =>
  listDifficulty(options).map(
    ([name, value]) => `${difficultyOptions[name]} ${typeof value === 'number' ? value : formatRange(value)}`,
  )

/** `prefix`: begins each help text, where the command has several actions. */
export const addDifficultyOptions = (command: Command, prefix = '') =>
  command
    .option(
      '--difficulty <level>',
      `${prefix}a level from 1 to 5 that sets the options of difficulty that are not given`,
      parseInteger(1, 5),
    )
    .option(
      '--branches <n>',
      `${prefix}mean number of if/elses, from 0 to ${maxBranches}; above 1 they are nested`,
      parseBranches,
    )
    .option(
      '--path-depth <range>',
      `${prefix}longest producer-to-consumer chain in edges, such as 2-`,
      parseRange,
    )
    .option(
      '--bindings <range>',
      `${prefix}pairs of a call’s output and a call that uses it, such as 5-`,
      parseRange,
    )
    .option(
      '--distractors <n>',
      `${prefix}number of variables that look relevant and that no call needs`,
      parseInteger(0, 10),
    )

/** The options that determine which programs are generated, besides their scenario and number. */
export const addProgramOptions = (command: Command) =>
  addDifficultyOptions(command)
    .option('--seed <seed>', 'the same seed gives the same bytes', parseSeed, 1)
    .option(
      '--length <n>',
      'number of calls on each execution path (default: that of the level, 3 by default; 5 with other options of difficulty)',
      parseInteger(2, 50),
    )
    .option(
      '--apis <list>',
      'opt-in APIs to call in addition to the usual ones, separated by commas: getSession,fetchSessions',
      parseNames,
    )
    .option('--no-control-flow', 'only programs without an if/else')
    .option('--no-second-worlds', 'inputs in one initial world only, as in the paper')
    .option(
      '--scenario-option <name=n>',
      'a numeric option of the scenario, such as elements=1024; repeatable',
      parseScenarioOption,
    )
    .addOption(
      new Option('--strategy <name>', 'how traces are chosen')
        .choices(['planned', 'coverage', 'random'])
        .default('planned'),
    )
