import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { writeText } from '../suite/output.ts'
import type { CommandTerminal } from '../terminal.ts'
import { formatInference, inferFromText } from '../world/infer.ts'
import { readWorldSource } from '../world/source.ts'

interface WorldOptions {
  out?: string
  allow?: string
  dropped?: boolean
}

const listNames = (text = '') => text.split(',').flatMap((name) => name.trim() || [])

async function infer(source: string, options: WorldOptions, terminal: CommandTerminal): Promise<ExitCode> {
  const { name, text } = await readWorldSource(source, listNames(options.allow))
  const report = await inferFromText(text, name)
  if (options.out !== undefined) {
    if (!report.model) throw new Failure('Tools are only reported; a model needs an OpenAPI document.')
    await writeText(options.out, `${JSON.stringify(report.model, null, 2)}\n`)
  }
  terminal.result(report, () => formatInference(report, options.dropped === true))
  return 0
}

const actions = { infer }

export const world = defineCommand<WorldOptions>({
  name: 'world <action> <source>',
  choices: Object.keys(actions),
  describe: 'Make a model of an API from its OpenAPI document: types, operations, and a reason for each fact',
  example: [
    'npx stateeval world infer shop.yaml --out shop.world.json',
    'npx stateeval world infer https://api.example.com/openapi.json --dropped',
    'npx stateeval world infer tools.json   # the answer of an MCP server to tools/list',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--out <file>', 'infer: file for the model')
      .option('--dropped', 'infer: list each operation that the model lacks, with the reason')
      .option(
        '--allow <networks>',
        'networks besides public ones that may be called, separated by commas: loopback, private, an address, a subnet or a host',
      ),
  run: async ({ options, args: [action = '', source = ''], terminal }) => {
    const run = Object.hasOwn(actions, action) ? actions[action as keyof typeof actions] : undefined
    if (!run) throw new Failure(`Unknown action ${action}. Use ${Object.keys(actions).join(', ')}.`)
    return run(source, options, terminal)
  },
})
