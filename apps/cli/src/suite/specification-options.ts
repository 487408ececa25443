/** The options of a build from a specification, and their request. */
import type { WritingRequest } from '@stateeval/contracts'
import type { Command } from 'commander'
import { Failure } from '../command.ts'
import type { CommandTerminal } from '../terminal.ts'
import { listKindsBySource } from './kinds.ts'
import { readBudget, declareModel, importRecordingFile, type ModelCommand } from './model-options.ts'
import { parseInteger } from './options.ts'
import { readText, unreadable } from '../text-file.ts'
import { readSpecification } from './specification-files.ts'

export interface SpecificationCommand extends ModelCommand {
  kind?: string
  spec?: string
  api?: string
  apiTitle?: string
  server?: string
  paths?: string[]
  instructions?: string
  together?: number
  longest?: number
  rounds?: number
  seed?: number | string
  dryRun?: boolean
}

export const addSpecificationOptions = (command: Command) =>
  command
    .option(
      '--spec <file>',
      'instead of a scenario: a specification (OpenAPI 3.0 or 3.1, or Swagger 2.0), or the folder or archive (.zip, .tar.gz) of one with several files; a model writes a task for each endpoint',
    )
    .option(
      '--dry-run',
      'with --spec: print what would be asked for, and ask no model: endpoints, or why they are skipped',
    )
    .option(
      '--recording <file>',
      'answers of an earlier build with --spec or agents, as the command recording prints them, instead of models',
    )
    .option(
      '--api <id>',
      'with --spec: short name of the API, for the ids of its tasks (default: the file’s name)',
    )
    .option('--api-title <name>', 'with --spec: its name in prompts (default: the specification’s title)')
    .option('--server <url>', 'with --spec: the server for requests (default: the specification’s first)')
    .option(
      '--paths <list>',
      'with --spec: only endpoints whose path begins with one of these, separated by commas',
      (text: string) => text.split(',').map((one) => one.trim()),
    )
    .option(
      '--instructions <file>',
      'with --spec: a text file with more information on this API for the model',
    )
    .option('--together <n>', 'with --spec: maximum endpoints in one question (10)', parseInteger(1, 100))
    .option(
      '--longest <n>',
      'with --spec: maximum characters of the specification in one prompt (400000); longer ones are split',
      parseInteger(1000, 10_000_000),
    )

const readRequired = (file: string, what: string) =>
  readText(file).catch(unreadable(`${file} cannot be read; it should contain ${what}`))

/** `shop-v2` of `specs/shop v2.yaml`. */
const deriveSpecificationId = (file: string) =>
  file
    .replace(/\.(ya?ml|json)$/i, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .slice(0, 100)

/**
 * Reads the files, and names the model if its endpoint is given. Kinds that a seed generates take a number
 * of samples instead of a file.
 */
export async function buildWritingRequest(
  source: { file: string } | { samples: number; generalise?: string },
  options: SpecificationCommand,
  terminal: CommandTerminal,
): Promise<WritingRequest> {
  const {
    model,
    recording,
    fresh,
    api,
    apiTitle: title,
    server,
    paths,
    instructions,
    together,
    longest,
    rounds,
    seed,
  } = options
  if (!options.dryRun && (model === undefined) === (recording === undefined))
    throw new Failure(
      '--spec needs the model that writes the tasks: --model NAME, or --recording FILE. Name a model with: npx stateeval model NAME --base-url URL',
    )
  const from = 'file' in source ? 'specification' : 'seed'
  const kind = options.kind ?? listKindsBySource(from)[0]
  if (kind === undefined) throw new Failure(`No installed benchmark can be built from a ${from}.`)
  const { name, text: specification } =
    'file' in source
      ? await readSpecification(source.file)
      : { name: kind, text: JSON.stringify({ ...source, ...(seed !== undefined && { seed }) }) }
  if (!options.dryRun) await declareModel(options, terminal)
  const more = {
    model,
    fresh,
    title,
    server,
    paths,
    together,
    longest,
    rounds,
    seed,
    recording: recording && (await importRecordingFile(recording)),
    instructions: instructions && (await readRequired(instructions, 'text for the model')),
  }
  const settings = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined))
  return {
    kind,
    specification,
    id: api ?? deriveSpecificationId(name),
    ...readBudget(options),
    ...settings,
  }
}
