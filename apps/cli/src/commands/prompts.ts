import type { EvaluationRequest } from '@stateeval/contracts'
import { defineCommand, type ExitCode } from '../command.ts'
import { resolveBenchmarkId } from '../suite/benchmark.ts'
import { showBytes, showLines } from '../suite/counter.ts'
import { connectEvaluation, openEvaluationStream, runRequests } from '../suite/index.ts'
import { parseInteger, parseSeed } from '../suite/options.ts'
import { addPromptOptions } from '../suite/prompt-options.ts'
import type { CommandTerminal } from '../terminal.ts'

interface PromptsCommand {
  benchmark: string
  mode?: EvaluationRequest['mode']
  prompting?: EvaluationRequest['prompting']
  language?: EvaluationRequest['language']
  documentation?: EvaluationRequest['documentation']
  setup?: string
  layout?: string
  shots?: number
  seed?: number | string
}

/** The prompts as JSON lines, one per case. With tools, each input has a line, so the number is unknown. */
async function streamPromptLines(
  id: string,
  query: Readonly<Record<string, unknown>>,
  terminal: CommandTerminal,
  signal: AbortSignal,
): Promise<string> {
  const { manifest } = await connectEvaluation().getBenchmark({ params: { id } })
  const all = await openEvaluationStream('getBenchmarkPrompts', { params: { id }, query, signal })
  const shown =
    manifest && query['mode'] !== 'tools'
      ? showLines('prompts', all, { total: manifest.counts.kept, noun: 'cases' }, terminal)
      : showBytes('prompts', all, terminal)
  const pieces: Uint8Array[] = []
  for await (const piece of shown) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

export const prompts = defineCommand<PromptsCommand>({
  name: 'prompts',
  describe: 'Print the prompts of a benchmark as JSON lines, to answer them elsewhere',
  example: 'npx stateeval prompts --benchmark benchmark/ > prompts.jsonl',
  configure: (command) =>
    addPromptOptions(
      command.requiredOption('--benchmark <id|folder>', 'a benchmark of the suite, or a folder to import'),
      ['direct', 'cot', 'few-shot'],
    )
      .option('--shots <n>', 'with few-shot: number of solved cases in the prompt (3)', parseInteger(1, 16))
      .option('--seed <seed>', 'seed of the examples', parseSeed),
  run: async ({ options: { benchmark, ...settings }, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const { mode, prompting, language, documentation, setup, layout, shots, seed } = settings
      const query = Object.fromEntries(
        Object.entries({ mode, prompting, language, documentation, setup, layout, shots, seed }).filter(
          ([, value]) => value !== undefined,
        ),
      )
      const id = await resolveBenchmarkId(benchmark, terminal)
      const lines = await streamPromptLines(id, query, terminal, signal)
      const all = lines.trimEnd()
      terminal.result(
        all.split('\n').map((line) => JSON.parse(line) as unknown),
        () => all,
      )
      return 0
    }),
})
