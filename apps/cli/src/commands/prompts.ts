import type { EvaluationRequest } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode } from '../command.ts'
import { evaluation, talk } from '../suite/index.ts'
import { benchmarkId } from './evaluate.ts'

interface PromptsCommand {
  benchmark: string
  prompting?: EvaluationRequest['prompting']
  language?: EvaluationRequest['language']
}

export const prompts = defineCommand<PromptsCommand>({
  name: 'prompts',
  describe: 'Print the prompts of a benchmark as JSON lines, to be answered elsewhere',
  example: 'npx stateeval prompts --benchmark benchmark/ > prompts.jsonl',
  configure: (command) =>
    command
      .requiredOption('--benchmark <id|folder>', 'a benchmark of the suite, or a folder to import')
      .addOption(new Option('--prompting <how>', 'how the model is prompted').choices(['direct', 'cot', 'reflect', 'few-shot']))
      .addOption(new Option('--language <language>', 'the language of the answers').choices(['javascript', 'python'])),
  run: async ({ options: { benchmark, prompting, language }, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const query = { ...(prompting ? { prompting } : {}), ...(language ? { language } : {}) }
      const lines = await evaluation().getBenchmarkPrompts({ params: { id: await benchmarkId(benchmark) }, query })
      const all = lines.trimEnd()
      terminal.result(
        all.split('\n').map((line) => JSON.parse(line) as unknown),
        () => all,
      )
      return 0
    }),
})
