/** The command line as a user types it, in this process, with its own suite. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findSchemaFault, type ServiceName } from '@stateeval/contracts'
import { startSuite, type Suite, type SuiteOptions } from './suite.ts'

/** Runs a command until it ends, or until the signal; `value` is its --json output. */
async function runCommand(args: readonly string[], signal = new AbortController().signal) {
  // With the first command: a test that runs none needs none.
  const { createProgram } = await import('../../../apps/cli/src/program.ts')
  let [out, err] = ['', '']
  const streams = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  }
  const code = await createProgram(streams, signal)([...args])
  const isJson = args.includes('--json') && out !== ''
  if (isJson) await checkResult(args, JSON.parse(out))
  return {
    code,
    out,
    err,
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- tests know the result
    value: isJson ? JSON.parse(out) : undefined,
  }
}

/** Whatever a test runs with --json must fit the schema that `stateeval schema` shows. */
async function checkResult(args: readonly string[], value: unknown): Promise<void> {
  const { resultSchemas } = await import('../../../apps/cli/src/results/schemas.ts')
  const name = args.find((arg) => !arg.startsWith('-')) ?? ''
  const schema = resultSchemas[name]
  const fault = schema === undefined ? null : findSchemaFault(schema, value)
  if (fault) throw new Error(`stateeval ${name} --json: ${fault.field || 'it'} ${fault.says}`)
}
export const stateeval = (...args: string[]) => runCommand(args)

export interface CommandLine {
  suite: Suite
  /** A folder of this command line's own, its home at the same time. */
  scratch: string
  stop(): Promise<void>
}

/** Starts a suite that every command of this process uses until `stop`. */
export async function startCommandLine(options?: SuiteOptions): Promise<CommandLine> {
  const { getServiceVariable: variableOf } = await import('../../../apps/cli/src/local/home.ts')
  const scratch = await mkdtemp(join(tmpdir(), 'stateeval-commands-'))
  const suite = await startSuite(options)
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  const variables = {
    STATEEVAL_HOME: scratch,
    ...Object.fromEntries(
      Object.entries(suite.urls).map(([name, url]) => [variableOf(name as ServiceName), url]),
    ),
  }
  Object.assign(process.env, variables)
  return {
    suite,
    scratch,
    async stop() {
      for (const name of Object.keys(variables)) delete process.env[name]
      await suite.stop()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}
