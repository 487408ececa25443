/** What of a dead letter is queued again. */
import { expect, test } from '@jest/globals'
import { isSealing } from '@stateeval/service-kit'
import { redriveLetter, type LetterRedriver } from './dead-letters.ts'

test('a job that is queued again needs the version that it needed before, and is as sealed', async () => {
  const sent: unknown[] = []
  const bus = {
    check: () => undefined,
    publishJob: async (subject: string, job: object) =>
      void sent.push({ subject, ...job, sealed: isSealing() }),
    dead: { remove: async () => undefined },
  }
  const parts = {
    bus,
    letters: { idOf: async () => 'letter', findSealedStream: async () => null },
  } as unknown as LetterRedriver
  const job = { id: 'a-job', payload: { inline: 1 }, version: 4 }
  const subject = 'jobs.evaluation.ask'
  const letter = { ...job, subject, error: 'no answer', attempts: 5, sequence: 7, at: new Date() } as const
  for (const sealed of [true, false]) await redriveLetter(parts, { ...letter, ...(sealed && { sealed }) })
  const again = { ...job, subject, redrive: 'letter' }
  expect(sent).toEqual([
    { ...again, sealed: true },
    { ...again, sealed: false },
  ])
})
