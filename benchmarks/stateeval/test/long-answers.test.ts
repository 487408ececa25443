/**
 * Answers as long as they may be, of every shape: reading them takes time that grows with their length, and
 * not more.
 */
import { expect, test } from '@jest/globals'
import type { Observation } from '@stateeval/contracts'
import { longTexts, slowness } from '@stateeval/testkit/long-texts'
import { buildFeedback } from '../prompt/feedback.ts'
import { readOpinion } from '../opinion/read.ts'

test.each(longTexts)('%s', (_, make) => {
  expect(slowness(readOpinion, make)).toBeNull()
})

/** An observation but for how it ended. */
const unremarkable: Omit<Observation, 'ending'> = {
  world: null,
  log: [],
  output: '',
  faults: [],
  wallMs: 1,
  sandbox: 'none',
}

test('what a model is told of a program that was ended', () => {
  const feedbackOn = (by: 'crash' | 'memory') => {
    const observation: Observation = { ...unremarkable, ending: { status: 'killed', by } }
    return buildFeedback({ code: 'x', observations: [observation] }, 'javascript')
  }
  expect(feedbackOn('memory')).toContain('went over a limit: memory')
  expect(feedbackOn('crash')).toContain('Its process ended before the program did.')
  expect(feedbackOn('crash')).not.toContain('limit')
})

test('what a model is told of a long program’s error', () => {
  const error = { name: 'E', message: 'm'.repeat(4000), line: 1_000_000 }
  const observation: Observation = { ...unremarkable, ending: { status: 'threw', error } }
  const feedbackOn = (code: string) => buildFeedback({ code, observations: [observation] }, 'javascript')
  expect(slowness(feedbackOn, (length) => '\n'.repeat(length))).toBeNull()
})
