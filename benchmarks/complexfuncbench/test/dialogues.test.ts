/**
 * Every scripted dialogue under both policies, step by step; and the other policy’s judgement of what was
 * said.
 */
import { expect, test } from '@jest/globals'
import type { Consultation, EpisodeEvent } from '@stateeval/contracts'
import { policies, type JudgingPolicy } from '../dialogue/converse.ts'
import type { CallDecision } from '../dialogue/decisions.ts'
import { type Dialogue, dialogues } from './dialogues.table.ts'
import { lead, type Led } from './lead.ts'
import { readConversation } from '../conversation/read.ts'
import { judgeByOther } from '../other-policy.ts'
import { caseOf, lineOfPath } from './paths.ts'

const letters = { response: 'R', 'format error': 'F', 'fixed error': 'X' }
const letterOf = ({ told }: CallDecision) => letters[told]

function outcomeOf({ notScored, end, rounds }: Led): string {
  if (notScored) return notScored.reason
  if (end?.verdict === 'unrecorded') return end.verdict
  return [
    `${end?.verdict} ${end?.correct} |`,
    ...rounds.map(({ calls }) => calls.map(letterOf).join('')),
  ].join(' ')
}

const absent: EpisodeEvent = { kind: 'unavailable', reason: 'not_configured', detail: 'nobody' }

function consultOf({ live, judge }: Dialogue): (need: Consultation['need']) => EpisodeEvent {
  let count = 0
  return (need) => {
    if (need.kind === 'consult' && need.role === 'judge:match' && judge !== undefined)
      return { kind: 'consulted', text: judge, finish: 'stop' }
    if (need.kind !== 'http' || !live) return absent
    const answer = live[count++] ?? '{"status": true, "data": "unexpected"}'
    if (typeof answer === 'string') return { kind: 'responded', status: 200, body: answer }
    return typeof answer === 'number' ? { kind: 'responded', status: answer, body: '{}' } : answer
  }
}

async function led(dialogue: Dialogue, policy: JudgingPolicy): Promise<Led> {
  const here = caseOf(dialogue.path)
  const { layout, limits, script } = dialogue
  return lead(here, here.cases[0]!, script, {
    policy,
    ...(layout && { layout }),
    ...(limits && { limits }),
    consult: consultOf(dialogue),
  })
}

test('there are at least 80, with names of their own', () => {
  expect(dialogues.length).toBeGreaterThanOrEqual(80)
  expect(new Set(dialogues.map(({ name }) => name)).size).toBe(dialogues.length)
})

test.each(dialogues.flatMap((one) => policies.map((policy) => [one.name, policy, one] as const)))(
  '%s, %s',
  async (_, policy, dialogue) => {
    const one = await led(dialogue, policy)
    expect(outcomeOf(one)).toBe(dialogue[policy])
    if (policy === 'published' && dialogue.message !== undefined)
      expect(one.notScored?.detail ?? one.end?.message).toBe(dialogue.message)
    if (dialogue.errorText !== undefined) {
      const place = one.rounds.findIndex(({ calls }) => calls.some(({ told }) => told === 'format error'))
      expect(one.toolTexts[place]!.join()).toContain(
        JSON.stringify({ error: dialogue.errorText }).slice(1, -1).replace(':', ': '),
      )
    }
  },
)

test('calls that could not be matched by response say why, and are counted apart', async () => {
  for (const [name, skipped, unrecorded] of [
    ['a call whose request is not recorded', 0, 1],
    ['a golden call whose request is not recorded', 0, 1],
    ['a judge says no', 1, 0],
  ] as const) {
    const one = await led(
      dialogues.find((dialogue) => dialogue.name === name)!,
      'published',
    )
    const { response_skipped: skippedCalls, response_unrecorded: unrecordedCalls } = one.score.metrics
    expect([skippedCalls, unrecordedCalls]).toEqual([skipped, unrecorded])
    const says = unrecorded ? 'response: a request is not recorded' : 'response: no live API is configured'
    expect(JSON.stringify(one.score.evidence)).toContain(says)
  }
})

test.each(dialogues.map((one) => [one.name, one] as const))(
  '%s: the other policy says the same of it as if it had led it, or where they part',
  async (_, dialogue) => {
    for (const [policy, other] of [
      ['published', 'sound'],
      ['sound', 'published'],
    ] as const) {
      const one = await led(dialogue, policy)
      if (!one.end) continue
      const judgement = one.score.policies![other]!
      const otherRun = await led(dialogue, other)
      const isSame = JSON.stringify(otherRun.toolTexts) === JSON.stringify(one.toolTexts)
      // Where both tell the model the same, the judgement is what it would be; where they part, nothing is
      // claimed.
      if (isSame && otherRun.end) {
        const asks = judgement.differences.at(-1)?.says.includes('which was not done') ?? false
        if (!asks) expect(judgement.verdict).toBe(otherRun.end.verdict)
      } else if (otherRun.end && otherRun.end.verdict !== 'unrecorded')
        expect(judgement.verdict).toBe('diverged')
      if (judgement.verdict === 'diverged') expect(judgement.differences.at(-1)?.where).toBe('divergence')
    }
  },
)

test('the policy that led a dialogue judges its record as it did then', async () => {
  for (const dialogue of dialogues)
    for (const policy of policies) {
      const { begin, end, rounds, candidate } = await led(dialogue, policy)
      if (!end) continue
      const again = judgeByOther(readConversation(lineOfPath(dialogue.path)), policy, {
        begin,
        end,
        candidate,
      })
      expect([dialogue.name, policy, again.diverges, again.rounds]).toEqual([
        dialogue.name,
        policy,
        undefined,
        rounds,
      ])
      // A limit of tokens or time is known by its reply alone.
      if (end.by !== 'limit') expect(again.end).toEqual(end)
      else expect(again.end?.verdict).toBe('limit')
    }
})
