/** The reference's answers in a case. */
import {
  type BenchmarkCase,
  type Language,
  listCaseArtifacts,
  listWorldArtifacts,
  type Program,
  type ReferenceAnswer,
  sha256,
} from '@stateeval/contracts'
import { type Benchmark, getFirstAnswer } from '@stateeval/program'
import type { ArtifactCache, CacheHolder } from '@stateeval/service-kit'
import { locatePhrases } from '@stateeval/translate'
import type { SuiteCatalog } from './catalog.ts'
import { chooseDefaultLanguage } from './options.ts'

/** The text of the reference's first answer; null if the case has none in this language. */
export function loadReferenceAnswer(
  { artifactCache }: { artifactCache: ArtifactCache },
  benchmark: Benchmark,
  c: BenchmarkCase,
  language: Language | undefined,
): Promise<string | null> {
  const { languages, promptings } = benchmark.asking
  const isKnown = languages ? language !== undefined && languages.includes(language) : !language
  const options = { ...(language && { language }), prompting: promptings[0] ?? ('direct' as const) }
  return artifactCache.use(listCaseArtifacts(c), () =>
    getFirstAnswer(isKnown ? benchmark.player(c, options) : null),
  )
}

export interface ReferenceSources extends CacheHolder, Pick<SuiteCatalog, 'benchmark' | 'scenario'> {
  artifactCache: ArtifactCache
}

/** The reference of a case with its instruction, and which phrase describes which part of its program. */
export async function loadReference(
  context: ReferenceSources,
  kind: string,
  c: BenchmarkCase,
  asked?: Language,
): Promise<ReferenceAnswer> {
  const benchmark = context.benchmark(kind)
  const language = asked ?? chooseDefaultLanguage(benchmark)
  const answer = await loadReferenceAnswer(context, benchmark, c, language)
  const { id: name, instruction } = c
  const program = 'program' in c ? c.program : undefined
  return {
    case: name,
    ...(language && { language }),
    instruction,
    answer,
    ...(benchmark.dialogues?.steps && { steps: benchmark.dialogues.steps(c).map((calls) => [...calls]) }),
    ...(program && { program, phrases: await loadPhrases(context, program, instruction) }),
  }
}

/** Read once: the same program and instruction have the same phrases. */
const loadPhrases = (
  { artifactCache, cache, scenario }: ReferenceSources,
  program: Program,
  instruction: string,
) =>
  cache(`phrases/${program.id}/${sha256(instruction)}`, () =>
    artifactCache.use(listWorldArtifacts(program.scenario), () =>
      locatePhrases({ program, scenario: scenario(program.scenario), instruction }).map(
        ({ from, to, block, says }) => ({ from, to, place: `${block}/${says}` }),
      ),
    ),
  )
