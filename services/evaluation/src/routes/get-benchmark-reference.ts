import { ProblemError } from '@stateeval/contracts'
import { firstAnswer } from '@stateeval/program'
import type { Route } from '../context.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkReference: Route<'getBenchmarkReference'> = async (
  { params, query: { language = 'javascript' } },
  context,
) => {
  const { id, benchmark } = await readyBenchmark(context, params.id)
  const n = (await context.sets.ids(id)).indexOf(params.case)
  if (n < 0)
    throw new ProblemError('not-found', `the benchmark ${id} has no case ${JSON.stringify(params.case)}`)
  const found = await context.sets.case(id, n)
  if ('artifacts' in found) await context.artifactCache.load(found.artifacts ?? [])
  const kind = context.benchmark(benchmark)
  const player = kind.languages.includes(language)
    ? kind.player(found, { language, prompting: kind.promptings[0] ?? 'direct' })
    : null
  const answer = firstAnswer(player)
  return { status: 200, body: { case: found.id, language, instruction: found.instruction, answer } }
}
