/**
 * The negotiation of generator and evaluator (StateGen, section III-E) as a pure state machine: it states a
 * need and takes the answer, until the evaluator answers <OK> or <IMPOSSIBLE>, or the rounds are over. The
 * host asks the models.
 */
import type { DialogueTurn, Message, Program } from '@stateeval/contracts'
import { listResultKeys, type Scenario } from '@stateeval/program'
import { readDecision, extractInstruction } from './answers.ts'
import { type AgentBrief, buildBrief } from './brief.ts'
import { findLeaks } from './leaks.ts'
import { type AgentPrompts, fill } from './prompts.ts'

export interface NegotiationContext {
  program: Program
  brief: AgentBrief
  prompts: AgentPrompts
  /** At most; the paper's are three. */
  rounds: number
}
type NegotiationAgent = 'generator' | 'evaluator'
export interface NegotiationState {
  round: number
  turn: NegotiationAgent
  dialogue: DialogueTurn[]
}
/** How it ended. `agreed` still has to be proved by code written from the instruction alone. */
export type NegotiationEnd = { dialogue: DialogueTurn[] } & (
  | { status: 'agreed'; instruction: string }
  | { status: 'needs_review'; instruction: string; reason: string }
  | { status: 'rejected'; reason: string }
)
export type NegotiationTurn = { state: NegotiationState } | { done: NegotiationEnd }

/**
 * The inputs of a negotiation about a program; its end immediately if the agents cannot be shown the code.
 */
export function beginNegotiation({
  scenario,
  ...about
}: Omit<NegotiationContext, 'brief'> & { scenario: Pick<Scenario, 'operations' | 'documentation'> }):
  | NegotiationContext
  | { done: NegotiationEnd } {
  const brief = buildBrief(about.program, scenario, 'javascript')
  if (brief) return { ...about, brief }
  return {
    done: { status: 'rejected', reason: 'the program cannot be written in JavaScript', dialogue: [] },
  }
}

export const startNegotiation = (): { state: NegotiationState } => ({
  state: { round: 1, turn: 'generator', dialogue: [] },
})

/** The current question, and its recipient. */
export function buildAgentNeed(
  { turn, dialogue }: NegotiationState,
  { brief, prompts }: NegotiationContext,
): { agent: NegotiationAgent; messages: Message[] } {
  if (turn === 'generator') {
    const messages: Message[] = [{ role: 'user', content: fill(prompts.generator, { ...brief }) }]
    for (const { by, says } of dialogue) {
      if (by === 'generator') messages.push({ role: 'assistant', content: says })
      else messages.push({ role: 'user', content: fill(prompts.revise, { diagnosis: says }) })
    }
    return { agent: 'generator', messages }
  }
  const instruction = findLastAnswer(dialogue, 'generator') ?? ''
  const diagnosis = findLastAnswer(dialogue, 'evaluator') ?? '(none yet)'
  return {
    agent: 'evaluator',
    messages: [{ role: 'user', content: fill(prompts.evaluator, { ...brief, instruction, diagnosis }) }],
  }
}

export function resumeNegotiation(
  state: NegotiationState,
  answer: string,
  context: NegotiationContext,
): NegotiationTurn {
  return state.turn === 'generator'
    ? advanceGenerator(state, answer, context)
    : advanceEvaluator(state, answer, context)
}

function advanceGenerator(
  { round, dialogue }: NegotiationState,
  answer: string,
  context: NegotiationContext,
): NegotiationTurn {
  const instruction = extractInstruction(answer)
  const turns: DialogueTurn[] = [...dialogue, { by: 'generator', round, says: instruction }]
  const fault = findMechanicalFault(instruction, context.program)
  if (fault === null) return { state: { round, turn: 'evaluator', dialogue: turns } }
  // A fault that the check finds needs no judge.
  return startNextRound(round, [...turns, { by: 'check', round, says: fault.says }], context, {
    instruction,
    ...fault,
  })
}

function advanceEvaluator(
  { round, dialogue }: NegotiationState,
  answer: string,
  context: NegotiationContext,
): NegotiationTurn {
  const turns: DialogueTurn[] = [...dialogue, { by: 'evaluator', round, says: answer.trim() }]
  const instruction = findLastAnswer(dialogue, 'generator') ?? ''
  const decision = readDecision(answer)
  switch (decision.kind) {
    case 'ok':
      return { done: { status: 'agreed', instruction, dialogue: turns } }
    case 'impossible':
      return {
        done: {
          status: 'rejected',
          reason: `the evaluator judged it impossible: ${shortenReason(decision.because)}`,
          dialogue: turns,
        },
      }
    case 'diagnosis':
      return startNextRound(round, turns, context, { instruction, says: decision.says, leak: false })
  }
}

/** Another round, or the end without agreement. */
function startNextRound(
  round: number,
  dialogue: DialogueTurn[],
  { rounds }: NegotiationContext,
  { instruction, says, leak }: { instruction: string; says: string; leak: boolean },
): NegotiationTurn {
  if (round < rounds) return { state: { round: round + 1, turn: 'generator', dialogue } }
  if (leak)
    return {
      done: {
        status: 'rejected',
        reason: `initial values in the instruction: ${shortenReason(says)}`,
        dialogue,
      },
    }
  const reason = `no agreement after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}: ${shortenReason(says)}`
  return { done: { status: 'needs_review', instruction, reason, dialogue } }
}

/** For a reason; the dialogue has all of it. */
const shortenReason = (text: string) => (text.length > 300 ? `${text.slice(0, 300).trim()} …` : text)

/** Limit of an instruction's length; the check looks for each initial value in all of it. */
const longestInstruction = 100_000

/** Finds a fault of an instruction that does not depend on its wording; null where there is none. */
function findMechanicalFault(instruction: string, program: Program): { says: string; leak: boolean } | null {
  if (instruction === '')
    return {
      says: 'The answer contains no instruction. Answer with the instruction and nothing else.',
      leak: false,
    }
  if (instruction.length > longestInstruction)
    return {
      says: `The instruction has ${instruction.length} characters; it must have at most ${longestInstruction}. Write a shorter one.`,
      leak: false,
    }
  const leaks = findLeaks(instruction, program)
  if (leaks.length > 0) {
    const leakList = leaks
      .map(({ variable, value }) => `${JSON.stringify(value)} (of ${variable})`)
      .join(', ')
    return {
      says: `The instruction gives initial values away: ${leakList}. Name the variables that contain them instead.`,
      leak: true,
    }
  }
  const missing = listResultKeys(program).filter((key) => !instruction.includes(key))
  if (missing.length > 0)
    return {
      says: `The instruction does not name these keys of RESULT: ${missing.map((key) => `\`${key}\``).join(', ')}.`,
      leak: false,
    }
  return null
}

const findLastAnswer = (dialogue: readonly DialogueTurn[], agent: NegotiationAgent) =>
  dialogue.findLast(({ by }) => by === agent)?.says
