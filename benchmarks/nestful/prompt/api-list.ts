/**
 * Which APIs a prompt lists (section 5.2): those of the gold calls, those of the examples, and random ones,
 * as long as the whole prompt stays under its budget of tokens. Drawn by the case's id: the same list in
 * every evaluation.
 */
import type { DocumentationMode } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import type { CaseApis } from '../apis.ts'
import type { SolvedExample, NestfulCase } from '../case.ts'
import type { ApiSpecification } from '../dataset/library.ts'

/** Limit of the whole prompt, as the paper has it. */
export const maxTokens = 8_000
/** An estimate on the safe side: JSON has about 3.5 characters a token in the usual vocabularies. */
export const estimateTokensSafely = (text: string) => Math.ceil(text.length / 3)
/** Under `relevant`, so many random APIs stand beside those that are needed. */
const relevantOthers = 5

/** @param rest how many tokens everything else in the prompt has. */
export function listApis(
  c: NestfulCase,
  { apis }: CaseApis,
  { examples, rest, mode }: { examples: readonly SolvedExample[]; rest: number; mode: DocumentationMode },
): ApiSpecification[] {
  if (mode === 'none') return []
  // A case that brings its own tools is published with all of them.
  if (c.task.tools !== undefined && mode === 'full') return [...apis.values()]
  const rng = createRng(`nestful/apis/${c.id}`)
  const gold = new Set(c.task.calls.map(({ name }) => name))
  const ofExamples = new Set(examples.flatMap((example) => example.apis).filter((name) => !gold.has(name)))
  const apisOf = (names: Iterable<string>) => [...names].flatMap((name) => apis.get(name) ?? [])
  const listed = apisOf(gold)
  let tokens = rest + listed.reduce((sum, api) => sum + estimateTokensSafely(api.shown), 0)
  const add = (candidates: readonly ApiSpecification[]) => {
    for (const api of candidates) {
      const more = estimateTokensSafely(api.shown) + 1
      if (tokens + more >= maxTokens) continue
      tokens += more
      listed.push(api)
    }
  }
  add(apisOf(ofExamples))
  const others = rng.shuffle(
    [...apis.values()].filter(({ name }) => !gold.has(name) && !ofExamples.has(name)),
  )
  add(mode === 'relevant' ? others.slice(0, relevantOthers) : others)
  return rng.fork('order').shuffle(listed)
}
