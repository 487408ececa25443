import type { ExecutionInput, Language, TensorProvider } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { connectExecution, runRequests } from '../suite/index.ts'
import { createProviderOption } from '../suite/options.ts'
import { readText, unreadable } from '../text-file.ts'

interface RunCommand {
  scenario: string
  language?: Language
  provider?: TensorProvider
  input?: string
}

/** How long a run is waited for, in seconds: it may have to wait for others. */
const patience = 60

const readCodeFile = (file: string) => readText(file).catch(unreadable(`${file} cannot be read`))

/**
 * One input as JSON: the variables that the program sees, and what the world starts with; `{}` is each
 * world's usual start.
 */
async function readInput(file: string | undefined): Promise<ExecutionInput> {
  if (!file) return { variables: {}, world: {} }
  try {
    const {
      variables = {},
      world = {},
      ...others
    } = JSON.parse(await readCodeFile(file)) as Partial<ExecutionInput>
    const [unknown] = Object.keys(others)
    if (unknown !== undefined)
      throw new Failure(
        `${file} has ${JSON.stringify(unknown)}; it should be {"variables": {…}, "world": {…}}`,
      )
    return { variables, world }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${file} is not valid JSON; it should be {"variables": {…}, "world": {…}}`)
  }
}

/** Detects the language from the file's extension. */
const detectLanguage = (file: string): Language => (file.endsWith('.py') ? 'python' : 'javascript')

export const run = defineCommand<RunCommand>({
  name: 'run <file>',
  describe: 'Run one program in the sandbox and print the observation',
  example:
    'npx stateeval run program.js --scenario session-service --input input.json\nnpx stateeval run program.py --scenario session-service',
  configure: (command) =>
    command
      .requiredOption('--scenario <id>', 'the world to run against')
      .addOption(
        new Option(
          '--language <language>',
          'the language of the program (default: python for .py, otherwise javascript)',
        ).choices(['javascript', 'python']),
      )
      .addOption(createProviderOption())
      .option('--input <file>', 'variables and the world’s initial state as JSON'),
  run: async ({ options: { scenario, language, provider, input }, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const [file] = args as [string]
      const body = {
        language: language ?? detectLanguage(file),
        code: await readCodeFile(file),
        world: scenario,
        ...(provider !== undefined && { provider }),
        inputs: [await readInput(input)],
      }
      const { id, status, result } = await connectExecution().createExecution({
        query: { wait: patience },
        body,
      })
      // A large observation has its own page.
      const onPage = async () =>
        (await connectExecution().listExecutionResults({ params: { id } })).items[0]?.observation
      const observation = result?.observations[0] ?? (status === 'succeeded' ? await onPage() : undefined)
      if (!observation)
        throw new Failure(
          `The run did not end within ${patience} s because the service is busy. Run it again later.`,
        )
      terminal.result(observation, () => JSON.stringify(observation, null, 2))
      return observation.ending.status === 'completed'
        ? 0
        : observation.ending.status === 'infrastructure'
          ? 2
          : 1
    }),
})
