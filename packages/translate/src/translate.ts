/**
 * The deterministic translator (StateGen, section III-E, without agents). It writes an instruction and
 * reads it, like someone who knows only the API's phrases and the variables' names. It returns the
 * instruction if it has exactly one reading and that is the program. So no other program has this
 * instruction.
 */
import type { Program } from '@stateeval/contracts'
import { createRng, listExecutionPaths, type Scenario } from '@stateeval/program'
import { withBinds } from './binds.ts'
import { normalizeBehaviour } from './normal.ts'
import { limits, readInstruction } from './read.ts'
import { type ReadingDoubt, listDoubts } from './readers/doubts.ts'
import { type ClausePlace, writeInstruction } from './speak.ts'

type TranslationOutcome =
  | { status: 'verified'; instruction: string; readings: 1 }
  | { status: 'rejected'; reason: string }
interface InstructionVerification {
  /** How many different programs the instruction may mean. */
  readings: number
  verified: boolean
  reason?: string
}
type SpeechScenario = Pick<Scenario, 'operations' | 'vocabulary'>
/** The scenario that adversarial readers run programs on. */
type SpeakableScenario = SpeechScenario & Pick<Scenario, 'open' | 'observe' | 'reread'>

/** Incremented whenever the same program and seed give another instruction. */
export const translatorVersion = '5'

/** Wordings tried before only the most explicit ones are used. */
const attempts = 6

/** Translates a program. The same program, scenario version and seed give the same bytes. */
export function translate({
  program,
  scenario,
  seed,
}: {
  program: Program
  scenario: SpeakableScenario
  seed: string | number
}): TranslationOutcome {
  const unfit = findUnfitness(program)
  if (unfit !== null) return { status: 'rejected', reason: unfit }
  const rng = createRng(`${seed}/translate/${program.id}`)
  let reason = ''
  for (let attempt = 0; attempt < 2 * attempts; attempt++) {
    const returned = new Map<ClausePlace, Set<number>>()
    for (let says = true; says;) {
      const voice = { rng: rng.fork(attempt), careful: attempt >= attempts }
      const speech = writeInstruction(program, scenario, voice, returned)
      if (!speech.ok) {
        if (returned.size === 0) return { status: 'rejected', reason: speech.reason }
        reason ||= speech.reason
        break
      }
      const verification = verify({ program, scenario, instruction: speech.instruction })
      if (!verification.verified) {
        reason ||= verification.reason ?? ''
        break
      }
      const doubts = listDoubts(program, scenario, speech.instruction)
      if (doubts.length === 0) return { status: 'verified', instruction: speech.instruction, readings: 1 }
      reason ||= `the instruction has a second reading: ${doubts[0]?.kind ?? ''} at ${doubts[0]?.place ?? ''}`
      says = addReturnedWords(returned, doubts)
    }
  }
  return { status: 'rejected', reason }
}

/** Has it said of what is in doubt that it is as returned; false where it was said already. */
function addReturnedWords(returned: Map<ClausePlace, Set<number>>, doubts: readonly ReadingDoubt[]): boolean {
  let more = false
  for (const { place, call } of doubts) {
    const calls = returned.get(place) ?? new Set()
    if (call === null || calls.has(call)) continue
    returned.set(place, calls.add(call))
    more = true
  }
  return more
}

/** Reads an instruction and compares what it may mean with the program. */
export function verify({
  program,
  scenario,
  instruction,
}: {
  program: Program
  scenario: SpeechScenario
  instruction: string
}): InstructionVerification {
  const unfit = findUnfitness(program)
  if (unfit !== null) return { readings: 0, verified: false, reason: unfit }
  const variables = new Set(program.variables.map(({ name }) => name))
  const meaning = normalizeBehaviour(program, variables)
  if (!meaning.ok) return { readings: 0, verified: false, reason: meaning.reason }
  const all = new Set(
    readInstruction(instruction, scenario, variables).flatMap((reading) => {
      const normal = normalizeBehaviour(withBinds(reading), variables)
      return normal.ok ? [normal.text] : []
    }),
  )
  if (all.size === 0)
    return {
      readings: 0,
      verified: false,
      reason: 'the instruction cannot be read: it is not in the translator’s grammar',
    }
  if (all.size > 1)
    return { readings: all.size, verified: false, reason: `the instruction can be read in ${all.size} ways` }
  if (!all.has(meaning.text))
    return { readings: 1, verified: false, reason: 'the instruction describes a different program' }
  return { readings: 1, verified: true }
}

/** Why no instruction is tried for a program, or null. */
function findUnfitness(program: Program): string | null {
  const steps = Math.max(...listExecutionPaths(program).map((path) => path.steps.length))
  if (steps > limits.steps) return `a path has ${steps} steps; no more than ${limits.steps} are translated`
  return isWellFormed(program) ? null : 'the program contains invalid Unicode: a lone surrogate'
}

/** Half a character can't be said, nor be read back. */
const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed()
  if (value === null || typeof value !== 'object') return true
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item))
}
