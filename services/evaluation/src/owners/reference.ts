/** What the reference answers in a case. */
import type { BenchmarkCase, Language } from '@stateeval/contracts'
import { type Benchmark, firstAnswer } from '@stateeval/program'
import type { ArtifactCache } from '@stateeval/service-kit'
import { artifactsOfCase } from './sets.ts'

/** Its first answer's text; null where the case has none in this language. */
export function referenceAnswer(
  { artifactCache }: { artifactCache: ArtifactCache },
  benchmark: Benchmark,
  c: BenchmarkCase,
  language: Language | undefined,
): Promise<string | null> {
  const { languages, promptings } = benchmark
  const isKnown = languages ? language !== undefined && languages.includes(language) : !language
  const options = { ...(language && { language }), prompting: promptings[0] ?? ('direct' as const) }
  return artifactCache.use(artifactsOfCase(c), () =>
    firstAnswer(isKnown ? benchmark.player(c, options) : null),
  )
}
