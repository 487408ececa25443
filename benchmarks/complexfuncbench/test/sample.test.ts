/** The files of `sample` are what its sources make; STATEEVAL_UPDATE_GOLDEN=1 writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { countTokens } from 'gpt-tokenizer'
import { listGoldenTurns } from '../conversation/conversation.ts'
import { readConversation } from '../conversation/read.ts'
import { findSoundFault } from '../format/sound.ts'
import { conversations, longConversation } from '../sample/index.ts'

const folder = join(import.meta.dirname, '../sample')

test('the files are what the sources make', () => {
  if (process.env['STATEEVAL_UPDATE_GOLDEN'] === '1') {
    writeFileSync(join(folder, 'conversations.jsonl'), conversations)
    writeFileSync(join(folder, 'long.jsonl.gz'), gzipSync(longConversation, { level: 9 }))
  }
  expect(readFileSync(join(folder, 'conversations.jsonl'), 'utf8')).toBe(conversations)
  expect(gunzipSync(readFileSync(join(folder, 'long.jsonl.gz'))).toString('utf8')).toBe(longConversation)
})

const read = (file: string) => file.trim().split('\n').map(readConversation)

test('it has what a sample should have', () => {
  const all = [...read(conversations), ...read(longConversation)]
  expect(all.length).toBeGreaterThanOrEqual(12)
  expect(new Set(all.map(({ domain }) => domain))).toEqual(
    new Set(['Hotels', 'Flights', 'Car-Rental', 'Attraction', 'Cross']),
  )
  // Several steps, parallel calls, and golden calls that the stricter check takes, too.
  expect(all.every(({ turns }) => turns.length >= 2)).toBe(true)
  expect(all.some(({ turns }) => turns.some(({ calls }) => calls.length > 2))).toBe(true)
  for (const conversation of all)
    for (const { call } of listGoldenTurns(conversation).flat())
      expect(findSoundFault(conversation, call)).toBeNull()
})

test('one response has about 128,000 tokens', () => {
  const [{ turns }] = read(longConversation) as [ReturnType<typeof readConversation>]
  const tokens = countTokens(turns[1]!.texts[0]!)
  expect(tokens).toBeGreaterThan(125_000)
  expect(tokens).toBeLessThan(150_000)
})
