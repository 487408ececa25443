/** What of a dead letter is queued again. */
import { expect, test } from '@jest/globals'
import { redrive, type Redriver } from './dead-letters.ts'

test('a job that is queued again needs the version that it needed before', async () => {
  const sent: unknown[] = []
  const bus = {
    check: () => undefined,
    publishJob: async (subject: string, job: object) => void sent.push({ subject, ...job }),
    dead: { remove: async () => undefined },
  }
  const parts = { bus, letterIds: { idOf: async () => 'letter' } } as unknown as Redriver
  const job = { id: 'a-job', payload: { inline: 1 }, version: 4 }
  const subject = 'jobs.evaluation.ask'
  await redrive(parts, { ...job, subject, error: 'no answer', attempts: 5, sequence: 7, at: new Date() })
  expect(sent).toEqual([{ ...job, subject, redrive: 'letter' }])
})
