import { ProblemError } from '@stateeval/contracts'
import { firstAnswer } from '@stateeval/program'
import { usualLanguage } from '../check-options.ts'
import type { Route } from '../context.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkReference: Route<'getBenchmarkReference'> = async ({ params, query }, context) => {
  const { id, benchmark } = await readyBenchmark(context, params.id)
  const n = (await context.sets.ids(id)).indexOf(params.case)
  if (n < 0)
    throw new ProblemError('not-found', `the benchmark ${id} has no case ${JSON.stringify(params.case)}`)
  const found = await context.sets.case(id, n)
  if ('artifacts' in found) await context.artifactCache.load(found.artifacts ?? [])
  const kind = context.benchmark(benchmark)
  const { language = usualLanguage(kind) } = query
  const isKnown = kind.languages ? language !== undefined && kind.languages.includes(language) : !language
  const options = { ...(language && { language }), prompting: kind.promptings[0] ?? ('direct' as const) }
  const answer = firstAnswer(isKnown ? kind.player(found, options) : null)
  const { id: name, instruction } = found
  return { status: 200, body: { case: name, ...(language && { language }), instruction, answer } }
}
