/** The negotiation: what each agent is told, how each answer is read, how it ends. */
import { expect, test } from '@jest/globals'
import {
  buildBrief,
  readDecision,
  agentPrompts,
  fill,
  extractInstruction,
  type NegotiationContext,
  type NegotiationTurn,
  buildAgentNeed,
  resumeNegotiation,
  startNegotiation,
  translate,
} from '../src/index.ts'
import { randomPrograms, scenario } from './programs.ts'

const program = randomPrograms(1, { seed: 5, controlFlow: false })[0]!
const translation = translate({ program, scenario, seed: 1 })
const good = translation.status === 'verified' ? translation.instruction : ''
const leaking = `${good} The first title is "${titleOf()}".`
function titleOf(): string {
  return (
    JSON.stringify(program.variables).match(/"((?:[A-Z][a-z]+ )+[a-z]+)"/)?.[1] ??
    JSON.stringify(program.world).match(/"((?:[A-Z][a-z]+ )+[a-z]+)"/)![1]!
  )
}
const prompts = {
  generator: 'write {{code}} {{variables}} {{result}}',
  revise: 'again: {{diagnosis}}',
  evaluator: 'judge <OK> <IMPOSSIBLE> {{code}} {{instruction}} before: {{diagnosis}}',
}
const context: NegotiationContext = {
  program,
  brief: buildBrief(program, scenario, 'javascript')!,
  prompts,
  rounds: 3,
}

/** Plays a negotiation; gives its end and what was asked. */
function play(answers: string[], over: Partial<NegotiationContext> = {}) {
  const questions: string[] = []
  let turn: NegotiationTurn = startNegotiation()
  while ('state' in turn) {
    const { agent, messages } = buildAgentNeed(turn.state, { ...context, ...over })
    questions.push(`${agent}: ${messages.map(({ role }) => role[0]).join('')}`)
    turn = resumeNegotiation(JSON.parse(JSON.stringify(turn.state)), answers[questions.length - 1]!, {
      ...context,
      ...over,
    })
  }
  return { end: turn.done, questions }
}

test('<OK> in the first round', () => {
  const { end, questions } = play([good, '<OK>'])
  expect(end).toMatchObject({ status: 'agreed', instruction: good })
  expect(questions).toEqual(['generator: u', 'evaluator: u'])
  expect(end.dialogue).toEqual([
    { by: 'generator', round: 1, says: good },
    { by: 'evaluator', round: 1, says: '<OK>' },
  ])
})

test('a diagnosis goes back to the generator, which sees the whole conversation', () => {
  const { end, questions } = play(
    ['too vague', 'Say which.', good, '<OK>'].map((text, at) => (at === 0 ? `${good} Somehow.` : text)),
  )
  expect(end).toMatchObject({ status: 'agreed', instruction: good })
  expect(questions).toEqual(['generator: u', 'evaluator: u', 'generator: uau', 'evaluator: u'])
})

test('<IMPOSSIBLE> ends it, with the reason', () => {
  expect(play([good, 'Nobody would ask this.\n<IMPOSSIBLE>']).end).toMatchObject({
    status: 'rejected',
    reason: 'the evaluator judged it impossible: Nobody would ask this.',
  })
})

test('without <OK> after the last round a person must look', () => {
  const { end } = play([good, 'a', good, 'b', good, 'c'])
  expect(end).toMatchObject({
    status: 'needs_review',
    instruction: good,
    reason: 'no agreement after 3 rounds: c',
  })
  expect(end.dialogue).toHaveLength(6)
  expect(play([good, 'a'], { rounds: 1 }).end).toMatchObject({
    status: 'needs_review',
    reason: 'no agreement after 1 round: a',
  })
})

test('a leak needs no judge: it is told to the generator, and after the last round rejected', () => {
  const { end, questions } = play([leaking, good, '<OK>'])
  expect(end).toMatchObject({ status: 'agreed' })
  expect(questions).toEqual(['generator: u', 'generator: uau', 'evaluator: u'])
  expect(end.dialogue[1]).toMatchObject({
    by: 'check',
    says: expect.stringContaining('gives initial values away'),
  })
  expect(play([leaking, leaking, leaking]).end).toMatchObject({
    status: 'rejected',
    reason: expect.stringContaining('initial values in the instruction'),
  })
})

test('a key of RESULT that is not named is told without a judge', () => {
  const { end } = play(['Do something.', good, '<OK>'])
  expect(end.dialogue[1]).toMatchObject({ by: 'check', says: expect.stringContaining('keys of RESULT') })
})

test('no agent is shown a value', () => {
  const prompt = JSON.stringify(buildAgentNeed(startNegotiation().state, context))
  expect(prompt).not.toContain(titleOf())
  expect(context.brief.variables).toMatch(/- `user_variable_0`: \{ .*source: string/)
})

test.each([
  ['<OK>', 'ok'],
  ['**<OK>**', 'ok'],
  ['All three requirements are met.\n\n<OK>', 'ok'],
  ['`<OK>`.', 'ok'],
  ['> "<OK>"', 'ok'],
  ['- `<OK>`', 'ok'],
  ['### <OK>\n\nIt says all that it must.', 'ok'],
  ['```\n<OK>\n```', 'ok'],
  ['(<OK>)\r\n', 'ok'],
  ['The instruction is not <OK>.', 'diagnosis'],
  ['The instruction is not\n<OK> yet.', 'diagnosis'],
  ['<OK> can’t be given: the second call is missing.', 'diagnosis'],
  ['<OK>: but the second call is missing', 'diagnosis'],
  ['<OK> <OK>', 'diagnosis'],
  ['Not <IMPOSSIBLE>', 'diagnosis'],
  ['<IMPOSSIBLE> would be too harsh: name the second call.', 'diagnosis'],
  ['Name the second call; it is not\n<IMPOSSIBLE> – just vague.', 'diagnosis'],
  ['**<IMPOSSIBLE>** – nobody would ask this', 'impossible'],
  ['Nobody would ask this.\n\n`<IMPOSSIBLE>`', 'impossible'],
  ['<think>is it <IMPOSSIBLE>?</think><OK>', 'ok'],
  ['<IMPOSSIBLE>', 'impossible'],
  ['<IMPOSSIBLE>: the condition cannot be said', 'impossible'],
  ['<IMPOSSIBLE> The condition cannot be said', 'impossible'],
  ['<IMPOSSIBLE> (nobody would ask this)', 'impossible'],
  ['<IMPOSSIBLE> isn’t called for: name the second call.', 'diagnosis'],
  ['I can’t say <OK> before the second call is named.', 'diagnosis'],
  ['<OK>\nor rather\n<IMPOSSIBLE>', 'diagnosis'],
  ['The list is missing.', 'diagnosis'],
  ['', 'diagnosis'],
  ['<think>hm', 'diagnosis'],
  ['<thinking>\nIt could be\n<OK>\n</thinking>\nThe second call is missing.', 'diagnosis'],
])('%j is read as %s', (answer, kind) => {
  expect(readDecision(answer).kind).toBe(kind)
})

test.each([
  ['Do it.', 'Do it.'],
  ['<think>plan</think>\n\nDo it.', 'Do it.'],
  ['<thinking>plan</thinking>\n\nDo it.', 'Do it.'],
  ['```\nDo it.\n```', 'Do it.'],
  ['**Instruction:**\n\nDo it.', 'Do it.'],
  ['# Instruction\nDo it.', 'Do it.'],
  ['"Do it."', 'Do it.'],
  ['"a" and "b"', '"a" and "b"'],
])('%j holds the instruction %j', (answer, instruction) => {
  expect(extractInstruction(answer)).toBe(instruction)
})

test('prompts say what they must, and slots are filled once', () => {
  expect(agentPrompts.faultOf('generator', prompts.generator)).toBeNull()
  expect(agentPrompts.faultOf('generator', '{{code}} {{variables}}')).toBe('lacks {{result}}')
  expect(agentPrompts.faultOf('revise', '{{diagnosis}} {{values}}')).toContain('{{values}}, which is unknown')
  expect(agentPrompts.faultOf('evaluator', '{{code}} {{instruction}}')).toContain('<OK>')
  expect(fill('{{a}} {{ b }}', { a: '{{b}} $1', b: 'x' })).toBe('{{b}} $1 x')
})
