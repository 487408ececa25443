import type { Call, Expr } from '@stateeval/contracts'
import {
  type PossibleCall,
  createLiteral,
  type ScenarioOperation,
  createRef,
  type RandomSource,
  type TraceScope,
} from '@stateeval/program'
import { applyTool } from '../apply.ts'
import { searchVoiceLibrary as say } from '../say/search-voice-library.ts'
import { foundVoices, wasMade, listVoicedSpeeches, wishes } from '../scope.ts'
import type { StudioWorld } from '../state.ts'
import type { LibraryVoice } from '../types.ts'

const api = 'search_voice_library'
interface SearchTerms {
  args: Record<string, Expr>
  category?: string
  gender?: string
}

/**
 * Searches that find several voices, or one by its name: by a wish or a part of it, by a category that the
 * program names, for voices like one found, for the voice of a speech.
 */
export const searchVoiceLibrary: ScenarioOperation<StudioWorld> = {
  id: api,
  *solve(scope, rng) {
    for (const { args } of choose(scope, rng)) {
      const call: Call = { kind: 'tool', api, args }
      if (!wasMade(scope, call)) yield { call, consumes: [] } satisfies PossibleCall
    }
  },
  apply: (world, args) => applyTool(api, world, args),
  gathers: { key: 'voices', path: [] },
  say,
}

/** Two at most; those that continue from known facts come first. */
function choose(scope: TraceScope<StudioWorld>, rng: RandomSource): SearchTerms[] {
  const telling = (all: readonly SearchTerms[]) => all.filter((terms) => isTelling(scope.world, terms))
  const following = telling(listFurtherTerms(scope, rng))
  return following.length > 0 && rng.chance(0.7)
    ? rng.sample(following, 2)
    : rng.sample(telling(listFirstTerms(scope, rng)), 2)
}

/**
 * Tells whether terms find several voices: one alone would not show which of those found is meant. A name has
 * only one.
 */
const isTelling = ({ voices }: StudioWorld, { args, category, gender }: SearchTerms) =>
  Object.hasOwn(args, 'search_name') ||
  voices.filter(
    (voice) =>
      (category === undefined || voice.category === category) &&
      (gender === undefined || voice.gender === gender),
  ).length > 1

function listFirstTerms({ world, ...scope }: TraceScope<StudioWorld>, rng: RandomSource): SearchTerms[] {
  const name = world.voices.length > 0 ? rng.pick(world.voices).category : null
  const constants = name === null ? [] : [{ search_category: createLiteral(name) }]
  const all = wishes({ world, ...scope }).flatMap(
    ({ reference: { variable }, value: { search_category: category, search_gender: gender } }) => {
      const [byCategory, byGender] = [
        createRef(variable, 'search_category'),
        createRef(variable, 'search_gender'),
      ]
      return [
        { args: { search_category: byCategory, search_gender: byGender }, category, gender },
        { args: { search_category: byCategory }, category },
        { args: { search_gender: byGender }, gender },
        ...constants.map((args): SearchTerms => ({
          args: { ...args, search_gender: byGender },
          category: name as string,
          gender,
        })),
      ]
    },
  )
  return [...all, ...constants.map((args): SearchTerms => ({ args, category: name as string }))]
}

/** For voices like one that was found, and for the voice of a speech. */
function listFurtherTerms(scope: TraceScope<StudioWorld>, rng: RandomSource): SearchTerms[] {
  const all: SearchTerms[] = []
  const hits = foundVoices(scope)
  if (hits.length > 0) {
    const { reference, value, binding } = rng.pick(hits)
    const index = reference.path[0] as number
    const list = binding.value as LibraryVoice[]
    // A part that the voices beside it have, too, would not show which of them is meant.
    const isOwn = (key: 'category' | 'gender') =>
      [index - 1, index + 1, list.length - 1].every((at) => at === index || list[at]?.[key] !== value[key])
    const part = (key: string) => createRef(reference.variable, ...reference.path, key)
    // All results of a search share the term that it searched by.
    const isTerm = (key: string) => Object.hasOwn(binding.call?.args ?? {}, key)
    if (!isTerm('search_category') && isOwn('category'))
      all.push({ args: { search_category: part('category') }, category: value.category })
    if (!isTerm('search_gender') && isOwn('gender'))
      all.push({ args: { search_gender: part('gender') }, gender: value.gender })
  }
  const spoken = listVoicedSpeeches(scope)
  if (spoken.length > 0)
    all.push({ args: { search_name: createRef(rng.pick(spoken).binding.name, 'voice_name') } })
  return all
}
