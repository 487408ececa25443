/**
 * Further inputs for a program, of the same shape: other texts, recordings, people and voices. Voices that
 * the program names stay; the others change their names, and how many there are of each kind differs.
 */
import type { ExecutionInput, JsonValue, Program } from '@stateeval/contracts'
import {
  listAtoms,
  buildInput,
  drawPath,
  findPathTaken,
  isCall,
  type RandomSource,
  type Scenario,
  steerInput,
  listWrittenSteps,
} from '@stateeval/program'
import { createRecorded } from './speech.ts'
import type { InitialStudio, StudioWorld } from './state.ts'
import { isContact, isSpeech, isWish } from './types.ts'
import { drawAnnouncement, categories, drawContacts, genders, drawMessage, voiceNames } from './values.ts'

const attempts = 16
type VoiceLibrary = InitialStudio['voices']

/**
 * The texts that a program holds: what equals one of them must stay, since the program doesn't change with
 * its input.
 */
const collectConstants = (program: Program): ReadonlySet<unknown> =>
  new Set(
    listWrittenSteps(program)
      .flatMap((step) => (isCall(step) ? Object.values(step.args) : []))
      .flatMap(listAtoms)
      .flatMap((atom) => (atom.kind === 'literal' ? [atom.value] : [])),
  )

/** One exchange of texts, those that must stay apart. */
function exchangeTexts(
  pool: readonly string[],
  fixed: ReadonlySet<unknown>,
  rng: RandomSource,
): (text: string) => string {
  const free = pool.filter((text) => !fixed.has(text))
  const exchanged = rng.shuffle(free)
  return (text) => exchanged[free.indexOf(text)] ?? text
}

/**
 * One draw: `wild` loosens genders and noise from what they were, `added` is how many voices more there are
 * at most.
 */
function draw(program: Program, wild: boolean, added: number, rng: RandomSource): ExecutionInput {
  const fixed = collectConstants(program)
  const [name, category, gender] = [voiceNames, categories, genders].map((pool) =>
    exchangeTexts(pool, fixed, rng),
  ) as [(text: string) => string, (text: string) => string, (text: string) => string]
  const { voices } = program.world as { voices: VoiceLibrary }
  const renamed = voices.map((voice) => ({
    voice_name: name(voice.voice_name),
    category: category(voice.category),
    gender: gender(voice.gender),
  }))
  const spare = rng.sample(
    voiceNames.filter((one) => !renamed.some(({ voice_name }) => voice_name === one)),
    rng.int(0, added),
  )
  const more = spare.map((voice_name) => ({ ...rng.pick(renamed), voice_name }))
  const changed = wild
    ? [...renamed, ...more].map((voice) =>
        rng.chance(0.15) ? { ...voice, gender: rng.pick(genders) } : voice,
      )
    : [...renamed, ...more]
  const people = drawContacts(rng, program.variables.length)
  const redrawn = (value: JsonValue, index: number): JsonValue => {
    if (typeof value === 'string') return drawAnnouncement(rng)
    if (isSpeech(value))
      return createRecorded(
        drawMessage(rng),
        wild && rng.chance(0.2) ? !value.is_isolated : value.is_isolated,
      )
    if (isWish(value))
      return { search_category: category(value.search_category), search_gender: gender(value.search_gender) }
    return isContact(value) ? (people[index] as JsonValue) : value
  }
  return {
    variables: Object.fromEntries(
      program.variables.map(({ name: variable, role, values }, index) => [
        variable,
        role === 'user' ? redrawn(values[0] as JsonValue, index) : (values[0] as JsonValue),
      ]),
    ),
    world: { voices: rng.shuffle(changed) as JsonValue },
  }
}

/** The input with the placeholders set so that the program goes some way; null where it fails. */
const steerStudioInput = (
  program: Program,
  scenario: Scenario<StudioWorld>,
  input: ExecutionInput,
  rng: RandomSource,
): ExecutionInput | null =>
  steerInput(
    program,
    input,
    (one) => findPathTaken(program, scenario, one),
    ({ equals }, value) => {
      const [first, second] = program.variables.find(({ name }) => name === equals)?.values as [
        JsonValue,
        JsonValue,
      ]
      const different =
        typeof value === 'number'
          ? value + 1
          : typeof value === 'boolean'
            ? !value
            : value === second
              ? first
              : second
      return rng.chance(0.5) ? ['then', value] : ['otherwise', different]
    },
  )

/**
 * A further input on which the program succeeds; the wilder draws are tried first, the program's own input is
 * the last resort.
 */
export function varyStudioInput(
  program: Program,
  scenario: Scenario<StudioWorld>,
  rng: RandomSource,
  wide = false,
): ExecutionInput {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const input = draw(program, attempt < attempts / 2, wide ? 10 : 2, rng.fork(attempt))
    const steered = steerStudioInput(program, scenario, input, rng.fork(`branch ${attempt}`))
    if (steered) return steered
  }
  return buildInput(program, drawPath(program, rng))
}
