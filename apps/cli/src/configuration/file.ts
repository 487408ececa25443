/**
 * stateeval.yaml: the suite's address, and defaults of options. The file is in the working directory, the
 * nearest folder above it, or at STATEEVAL_CONFIG. The command line overrides the environment, and the
 * environment overrides the file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRecord } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { removeByteOrderMark } from '../text-file.ts'

export const fileName = 'stateeval.yaml'

/** The environment variables that members of the file set. */
export const variables: Readonly<Record<string, { variable: string; describe: string; example: string }>> = {
  url: {
    variable: 'STATEEVAL_URL',
    describe: 'URL of the evaluation service, if `up` did not start it on this machine',
    example: 'https://stateeval.example.com',
  },
  traceGenerationUrl: {
    variable: 'STATEEVAL_TRACE_GENERATION_URL',
    describe: 'URL of trace-generation, for the command generate',
    example: 'https://generation.example.com',
  },
  executionUrl: {
    variable: 'STATEEVAL_EXECUTION_URL',
    describe: 'URL of execution, for the command run',
    example: 'https://execution.example.com',
  },
  home: {
    variable: 'STATEEVAL_HOME',
    describe: 'folder for the state of `up`, relative to this file',
    example: '.stateeval',
  },
}

export interface ConfigurationFile {
  /** Null: there is no file. */
  path: string | null
  /** Values for variables that the environment does not have. */
  environment: Readonly<Record<string, string>>
  /** Defaults of options, by command and option; checked when that command runs. */
  commands: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Reads the file; without one, returns an empty configuration.
 * @param from the folder where the search begins
 * @throws Failure if the file cannot be read or has an unknown member
 */
export async function readConfiguration(from: string, env: NodeJS.ProcessEnv): Promise<ConfigurationFile> {
  const path = env.STATEEVAL_CONFIG ? resolve(from, env.STATEEVAL_CONFIG) : findNearest(from)
  if (path === null) return { path, environment: {}, commands: {} }
  let text: string
  try {
    text = removeByteOrderMark(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${(error as Error).message}`)
  }
  return parseConfiguration(path, text, env)
}

function findNearest(from: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, fileName)
    if (existsSync(path)) return path
    if (folder === dirname(folder)) return null
  }
}

async function parseConfiguration(
  path: string,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<ConfigurationFile> {
  // Loaded here: most commands run without a file.
  const { parse } = await import('yaml')
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new Failure(`${path} is not valid YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  if (value === null || value === undefined) value = {}
  if (!isRecord(value)) throw new Failure(`${path} must contain members such as url and commands.`)
  const { commands = {}, ...others } = value
  const environment: Record<string, string> = {}
  for (const [name, setting] of Object.entries(others)) {
    const known = Object.hasOwn(variables, name) ? variables[name]! : null
    if (known === null)
      throw new Failure(
        `${path}: there is no setting '${name}'. Settings are ${[...Object.keys(variables), 'commands'].join(', ')}.`,
      )
    if (typeof setting !== 'string' || setting === '')
      throw new Failure(`${path}: ${name} must be a string, such as ${known.example}.`)
    if (env[known.variable]) continue
    if (name !== 'home') checkKey(path, name, setting, env)
    environment[known.variable] = name === 'home' ? resolve(dirname(path), setting) : setting
  }
  return { path, environment, commands: parseSections(path, commands) }
}

/** A file that came with somebody's repository must not have the key sent to an address of its choice. */
function checkKey(path: string, name: string, url: string, env: NodeJS.ProcessEnv): void {
  const { hostname = '' } = URL.parse(url) ?? {}
  const hosts = (env.STATEEVAL_API_KEY_HOSTS ?? '').split(',').map((host) => host.trim())
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if ((env.STATEEVAL_API_KEY || env.STATEEVAL_ADMIN_KEY) && !isLocal && !hosts.includes(hostname))
    throw new Failure(
      `${path}: ${name} names ${hostname || url}, so StateEval does not send the API key there. ` +
        'List the host in STATEEVAL_API_KEY_HOSTS, or set the address in the environment.',
    )
}

function parseSections(path: string, commands: unknown): ConfigurationFile['commands'] {
  if (commands === null) return {}
  if (!isRecord(commands)) throw new Failure(`${path}: commands must contain a section for each command.`)
  return Object.fromEntries(
    Object.entries(commands).map(([name, section]) => {
      if (section !== null && !isRecord(section))
        throw new Failure(`${path}: commands.${name} must contain options by name, such as json: true.`)
      return [name, section ?? {}]
    }),
  )
}
