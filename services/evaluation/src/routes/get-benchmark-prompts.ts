import { Readable } from 'node:stream'
import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { checkPrompting, usualLanguage } from '../check-options.ts'
import { examplesFor } from '../owners/examples.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkPrompts: Route<'getBenchmarkPrompts'> = async (
  {
    params: { id },
    query: { language: named, prompting = 'direct', documentation, shots = 3, seed = 1, setup, layout },
  },
  context,
) => {
  const { manifest, benchmark: kind } = await readyBenchmark(context, id)
  const benchmark = context.benchmark(kind)
  const language = named ?? usualLanguage(benchmark)
  const laidOut = {
    ...(language && { language }),
    prompting,
    ...(setup !== undefined && { setup }),
    ...(layout !== undefined && { layout }),
  }
  checkPrompting(benchmark, laidOut)
  const mode = documentation ?? benchmark.defaults?.documentation ?? 'full'
  if (prompting === 'reflect')
    throw new ProblemError(
      'unprocessable',
      'reflect shows a model its own errors, so its prompts can’t be answered from a file',
      '/prompting',
    )
  async function* lines() {
    for (let n = 0; n < manifest.counts.kept; n++) {
      const c = await context.sets.case(id, n)
      if ('artifacts' in c) await context.artifactCache.load(c.artifacts ?? [])
      const examples = await examplesFor(context, id, benchmark, c, { prompting, shots, seed })
      const turn = benchmark.episode.start(c, {
        ...laidOut,
        documentation: mode,
        ...(examples && { examples }),
      })
      if ('done' in turn || turn.need.kind !== 'reply')
        throw new ProblemError(
          'unprocessable',
          'the episodes of this benchmark can’t be answered from a file',
          '/prompting',
        )
      yield `${JSON.stringify({ case: c.id, messages: turn.need.append, ...(turn.need.tools && { tools: turn.need.tools }) })}\n`
    }
  }
  return { status: 200, body: Readable.from(lines()) }
}
