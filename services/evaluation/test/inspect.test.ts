/** What a log of Inspect AI makes of what models write; e2e/inspect.test.ts lets Inspect read whole ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { type BenchmarkCase, evaluationOperations, type Transcript } from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import { noUsage } from '@stateeval/models'
import { liveHeapMiB } from '@stateeval/testkit'
import { createCatalog } from '../src/catalog.ts'
import { buildInspectLog } from '../src/exports/inspect/log.ts'
import type { SampleLogSources } from '../src/exports/logged-samples.ts'
import type { EvaluationOwner } from '@stateeval/jobs'
import { convertMessages, buildOutput } from '../src/exports/inspect/messages.ts'

const call = (id: string, text: string) => ({ id, name: 'search', arguments: text })
const dialogue: Transcript = {
  role: 'model',
  messages: [
    { role: 'user', content: 'Find it.' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [call('a', '{"city": "Rome"}'), call('b', '["Rome"]'), call('c', '{"city": ')],
      finish: 'tool_calls',
    },
    { role: 'tool', content: 'found', toolCallId: 'a' },
    { role: 'tool', content: 'no call has this id', toolCallId: 'z' },
    { role: 'assistant', content: 'There it', finish: 'length' },
    { role: 'user', content: 'Thanks.' },
  ],
}

test('arguments that are no object become an error that quotes them; results name the function they answer', () => {
  const messages = convertMessages(dialogue, 'ev-1', 'mine')
  expect(messages).toMatchObject([
    { id: 'ev-1-0', role: 'user' },
    {
      role: 'assistant',
      model: 'mine',
      tool_calls: [
        { id: 'a', function: 'search', arguments: { city: 'Rome' } },
        { arguments: {}, parse_error: 'The arguments are not an object: ["Rome"]' },
        { arguments: {}, parse_error: expect.stringContaining('{"city": ') },
      ],
    },
    { role: 'tool', tool_call_id: 'a', function: 'search' },
    { role: 'tool', tool_call_id: 'z' },
    { role: 'assistant', content: 'There it' },
    { id: 'ev-1-5', role: 'user' },
  ])
  expect(messages[3]).not.toHaveProperty('function')
})

test('the output is the last reply with why it ended; a dialogue without one has an empty output', () => {
  const messages = convertMessages(dialogue, 'ev-1', 'mine')
  expect(buildOutput(dialogue, messages, 'mine')).toEqual({
    model: 'mine',
    choices: [{ message: messages[4], stop_reason: 'max_tokens' }],
    completion: 'There it',
  })
  const unanswered = { ...dialogue, messages: dialogue.messages.slice(0, 1) }
  expect(buildOutput(unanswered, messages, 'mine')).toEqual({ model: 'mine', choices: [], completion: '' })
})

test('a log is never held as a whole, and ends as JSON does', async () => {
  const sample = join(import.meta.dirname, '../../../benchmarks/stateeval/sample/cases.jsonl')
  const c = JSON.parse(readFileSync(sample, 'utf8').split('\n')[0]!) as BenchmarkCase
  const total = 300
  const { result } = evaluationOperations.getEvaluationReport.success[200].example
  const { samples: _, ...figures } = result
  const ended = { scored: total, passed: total, notScored: 0, retries: 0, runtimes: [], usage: noUsage }
  const owner = {
    ...{ id: 'ev_1', entity: 'evaluation', status: 'succeeded', stage: 'samples', benchmark: 'bm_1' },
    createdAt: '2026-01-01T00:00:00.000Z',
    stages: { samples: { total, partitions: 1 } },
    set: { digest: result.digest, kind: 'stateeval', cases: 1 },
    model: { kind: 'reference' },
    options: {
      ...{ samples: total, prompting: 'direct', language: 'javascript', documentation: 'full' },
      ...{ seed: 1, rounds: 2, shots: 3 },
    },
    ended: { ...ended, result: 'result', figures: 'figures', host: 'here' },
  } satisfies EvaluationOwner as EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> }
  const outcomeOf = (id: string): SampleOutcome => ({
    scored: { case: c.id, sample: Number(id.split('/').at(-1)), score: null, notScored: 'no reason' },
    ...{ answer: `${id} ${'x'.repeat(40_000)}`, retries: 0, runtimes: [], usage: noUsage },
  })
  const context = {
    ...createCatalog(() => new Uint8Array()),
    sets: { case: async () => c, ids: async () => [c.id] },
    results: {
      many: async (ids: string[]) => ids.map((id) => ({ counts: {}, payload: { inline: outcomeOf(id) } })),
    },
    records: { many: async (ids: string[]) => ids.map(() => null) },
    artifacts: {
      getJson: async () => figures,
      unpack: async ({ inline }: { inline: unknown }) => inline,
    },
    artifactCache: {
      load: async () => new Map(),
      use: async (_hashes: string[], work: (files: Map<string, Uint8Array>) => unknown) => work(new Map()),
    },
    cache: async (_key: string, make: () => Promise<unknown>) => make(),
  } as unknown as SampleLogSources
  const before = liveHeapMiB()
  let [bytes, pieces, peak, last] = [0, 0, 0, '']
  for await (const piece of buildInspectLog(context, owner)) {
    bytes += piece.length
    last = String(piece)
    if (++pieces % 75 === 0) peak = Math.max(peak, liveHeapMiB() - before)
  }
  expect([pieces, last]).toEqual([total + 2, '\n]}\n'])
  expect(bytes).toBeGreaterThan(30e6)
  // A hundred samples are read together.
  expect(peak).toBeLessThan(20)
})
