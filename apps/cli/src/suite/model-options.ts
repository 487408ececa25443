/** The options of a command that asks one model: its name, its endpoint, and its budget. */
import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '@stateeval/client'
import {
  type UsageBudget,
  type DialectId,
  dialectIds,
  isRecord,
  type ModelSettings,
  type ModelPrices,
  type SystemRole,
  systemRoles,
} from '@stateeval/contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Failure } from '../command.ts'
import type { CommandTerminal } from '../terminal.ts'
import { connectEvaluation } from './index.ts'
import { parseAmount, parseAssignments, parseInteger } from './options.ts'
import { readText, unreadable } from '../text-file.ts'

export interface BudgetCommand {
  budgetUsd?: number
  budgetTokens?: number
}

/** Options that name an endpoint, or change a named one. */
export interface EndpointCommand {
  baseUrl?: string
  modelId?: string
  keyEnv?: string
  keyHeader?: string
  dialect?: DialectId
  systemRole?: SystemRole
  header?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  modelFile?: string
  priceInput?: number
  priceOutput?: number
}

export interface ModelCommand extends BudgetCommand, EndpointCommand {
  model?: string
  recording?: string
  fresh?: boolean
}

export const addBudgetOptions = (command: Command) =>
  command
    .option('--budget-usd <dollars>', 'stop when the model has cost this much; requires prices', parseAmount)
    .option(
      '--budget-tokens <n>',
      'stop when the model has used this many tokens',
      parseInteger(0, Number.MAX_SAFE_INTEGER),
    )

const noUrl = 'is not a URL; use one such as http://127.0.0.1:8000/v1'
const parseBaseUrl = (text: string): string => {
  if (!URL.canParse(text)) throw new InvalidArgumentError(`It ${noUrl}`)
  return text
}

/** The model's endpoint, and the prices of its answers. */
export const addEndpointOptions = (command: Command) =>
  command
    .option(
      '--base-url <url>',
      'the model’s base URL, that of an OpenAI-compatible endpoint; creates or changes the named model',
      parseBaseUrl,
    )
    .option('--model-id <id>', 'the model id at the endpoint')
    .option('--key-env <name>', 'the STATEEVAL_KEY_* variable that contains the model’s key')
    .option(
      '--key-header <name>',
      'the header that contains the key, such as api-key; default: a bearer token',
    )
    .option(
      '--header <name=value>',
      'adds a header to each request; write ${STATEEVAL_KEY_…} for a secret; repeatable; an empty value removes it',
      parseAssignments,
    )
    .option(
      '--query <name=value>',
      'adds a query parameter to each request, such as api-version=2024-10-21; like --header',
      parseAssignments,
    )
    .addOption(
      new Option('--dialect <name>', 'how requests are written; default: that of the host').choices(
        dialectIds,
      ),
    )
    .addOption(
      new Option(
        '--system-role <role>',
        'the role of the system’s text; user puts it before the user’s; default: system, or as a probe has found',
      ).choices(systemRoles),
    )
    .option('--price-input <dollars>', 'US dollars per million prompt tokens', parseAmount)
    .option('--price-output <dollars>', 'US dollars per million completion tokens', parseAmount)
    .option(
      '--model-file <file>',
      'replaces all settings of the model by JSON: {"baseUrl": …, "model": …, "parameters": {…}}',
    )

/** All except the model and the recording, which each command describes differently. */
export const addModelOptions = (command: Command) =>
  addBudgetOptions(addEndpointOptions(command)).option(
    '--fresh',
    'ask the model again, even if an answer is stored',
  )

/** Tells whether any option describes the model's endpoint. */
export const hasModelDescription = (options: EndpointCommand) =>
  [
    options.baseUrl,
    options.modelId,
    options.keyEnv,
    options.keyHeader,
    options.dialect,
    options.systemRole,
    options.header,
    options.query,
    options.modelFile,
    options.priceInput,
    options.priceOutput,
  ].some((one) => one !== undefined)

/**
 * Names the endpoint that the options describe, so that it can be called. For a model with this name,
 * omitted settings stay unchanged, which is reported; a file replaces all settings.
 */
export async function declareModel(options: ModelCommand, terminal: CommandTerminal): Promise<void> {
  const { model: name, modelFile } = options
  if (!hasModelDescription(options)) return
  if (!name)
    throw new Failure('--base-url, --model-file and the others describe a model: --model gives it a name')
  const current = await loadSettings(name)
  const body = mergeSettings(
    name,
    modelFile === undefined ? current : await readSettingsFile(modelFile),
    options,
  )
  if (isDeepStrictEqual(body, current)) return
  await connectEvaluation()
    .putModel({ params: { name }, body })
    .catch((error: unknown) => {
      throw explainSettingsError(error, options)
    })
  const stay =
    current && !modelFile
      ? Object.keys(body).filter((key) => isDeepStrictEqual(body[key as 'model'], current[key as 'model']))
      : []
  terminal.step(
    `Model ${name}: ${body.model} at ${body.baseUrl}${stay.length > 0 ? `; as before: ${stay.join(', ')}` : ''}`,
  )
}

/** The options that give the settings of a model. */
const settingOptions: Readonly<Record<string, readonly [keyof EndpointCommand, string]>> = {
  baseUrl: ['baseUrl', '--base-url'],
  model: ['modelId', '--model-id'],
  keyEnv: ['keyEnv', '--key-env'],
  keyHeader: ['keyHeader', '--key-header'],
  dialect: ['dialect', '--dialect'],
  systemRole: ['systemRole', '--system-role'],
  headers: ['header', '--header'],
  query: ['query', '--query'],
  'prices.promptPerMillion': ['priceInput', '--price-input'],
  'prices.completionPerMillion': ['priceOutput', '--price-output'],
}

/** The error of a request with these settings: the option, or the file and member, in place of the field. */
function explainSettingsError(error: unknown, options: EndpointCommand): unknown {
  if (!(error instanceof ServiceError) || error.problem.field === undefined) return error
  const { detail, field } = error.problem
  const member = field.slice(1).replaceAll('/', '.')
  const rest = [field, member].find((start) => detail.startsWith(`${start} `))?.length
  const under = (name: string) => (rest === undefined ? detail : name + detail.slice(rest))
  // Headers and query parameters have one option each, whatever their names are.
  const setting = [member, member.split('.', 1)[0] ?? ''].find((name) => Object.hasOwn(settingOptions, name))
  const [given, option] = (setting !== undefined && settingOptions[setting]) || []
  if (given !== undefined && option !== undefined && options[given] !== undefined) {
    const text = under(option)
    return new Failure(text.includes(option) ? text : `${text} (${option})`)
  }
  return options.modelFile === undefined
    ? error
    : new Failure(`${options.modelFile}: ${under(JSON.stringify(member))}`)
}

/** Merges the options into what is known of the model. */
function mergeSettings(
  name: string,
  current: Partial<ModelSettings> | undefined,
  options: EndpointCommand,
): ModelSettings {
  const { modelId, keyEnv, keyHeader, dialect, systemRole, baseUrl = current?.baseUrl } = options
  if (baseUrl === undefined)
    throw new Failure(
      `There is no model ${name} yet. Give its endpoint with --base-url URL, or all of its settings with --model-file FILE.`,
    )
  const prices = readPrices(current?.prices, options)
  const model = modelId ?? current?.model ?? name
  const { headers: currentHeaders, query: currentQuery, ...others } = current ?? {}
  const headers = assignValues(currentHeaders, options.header)
  const query = assignValues(currentQuery, options.query)
  return {
    ...others,
    baseUrl,
    model,
    ...(keyEnv !== undefined && { keyEnv }),
    ...(keyHeader !== undefined && { keyHeader }),
    ...(dialect !== undefined && { dialect }),
    ...(systemRole !== undefined && { systemRole }),
    ...(headers && { headers }),
    ...(query && { query }),
    ...(prices && { prices }),
  }
}

/** The values with the changes; an empty one is removed. */
function assignValues(
  current: Readonly<Record<string, string>> = {},
  changes: Readonly<Record<string, string>> = {},
): Record<string, string> | undefined {
  const entries = Object.entries({ ...current, ...changes }).filter(
    ([name, value]) => value !== '' || !Object.hasOwn(changes, name),
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function readPrices(
  current: ModelPrices | undefined,
  { priceInput, priceOutput }: EndpointCommand,
): ModelPrices | undefined {
  const promptPerMillion = priceInput ?? current?.promptPerMillion
  const completionPerMillion = priceOutput ?? current?.completionPerMillion
  if (promptPerMillion === undefined && completionPerMillion === undefined) return undefined
  if (promptPerMillion === undefined || completionPerMillion === undefined)
    throw new Failure('give both --price-input and --price-output, in US dollars per million tokens')
  return { promptPerMillion, completionPerMillion }
}

/** The settings that are kept under a name; undefined where there are none. */
async function loadSettings(name: string): Promise<ModelSettings | undefined> {
  try {
    return (await connectEvaluation().getModel({ params: { name } })).settings
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 404) return undefined
    throw error
  }
}

/** Settings of a model in a JSON file. */
export async function readSettingsFile(file: string): Promise<Partial<ModelSettings>> {
  const form = 'one JSON object: {"baseUrl": …, "model": …, "parameters": {"temperature": 0}, …}'
  const text = await readText(file).catch(unreadable(`${file} cannot be read; it should contain ${form}`))
  try {
    const value = JSON.parse(text) as unknown
    if (isRecord(value)) {
      const { baseUrl } = value
      if (typeof baseUrl === 'string' && !URL.canParse(baseUrl))
        throw new Failure(`${file}: "baseUrl" ${noUrl}`)
      return value
    }
  } catch (error) {
    if (error instanceof Failure) throw error
  }
  throw new Failure(`${file} is not a model; it should contain ${form}`)
}

/** Imports a recording, and returns its id. */
export async function importRecordingFile(file: string): Promise<string> {
  const text = await readText(file).catch(
    unreadable(`${file} cannot be read; npx stateeval recording ID prints one`),
  )
  if (text.trim() === '')
    throw new Failure(`${file} is empty; npx stateeval recording ID prints a recording, or why there is none`)
  return (await connectEvaluation().importRecording({ body: { text } })).id
}

export function readBudget({ budgetUsd, budgetTokens }: BudgetCommand): { budget?: UsageBudget } {
  if (budgetUsd === undefined && budgetTokens === undefined) return {}
  return {
    budget: {
      ...(budgetUsd !== undefined && { usd: budgetUsd }),
      ...(budgetTokens !== undefined && { tokens: budgetTokens }),
    },
  }
}
