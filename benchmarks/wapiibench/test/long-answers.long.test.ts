/**
 * Answers as long as they may be, of every shape: reading and judging them takes time that grows with their
 * length, and not more.
 */
import { expect, test } from '@jest/globals'
import type { Candidate, CapturedRequest, Observation } from '@stateeval/contracts'
import { maxParsed } from '@stateeval/javascript'
import { longTexts, slowness } from '@stateeval/testkit/long-texts'
import { readNamedValues } from '../capture/named-values.ts'
import { buildPublishedConfig } from '../capture/published.ts'
import { buildSoundRequest } from '../capture/sound.ts'
import { buildCodeFile } from '../answer/code-file.ts'
import { extractPublished } from '../answer/published.ts'
import { readSamples } from '../creation/samples.ts'
import { layouts } from '../prompt/prompt.ts'
import { read } from '../readings.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'

/** All of them with STATEEVAL_LONG, else every third. */
const texts = longTexts.filter((_, n) => process.env['STATEEVAL_LONG'] === '1' || n % 3 === 0)
const starter = "const axios = require('axios');\n// List all books\naxios."

test.each(texts)('%s', (_, make) => {
  const published = (text: string) =>
    layouts.map((layout) => extractPublished(buildCodeFile(text, starter, layout)))
  expect(slowness(published, make)).toBeNull()
  expect(slowness(readSamples, make, { perMillion: 3000 })).toBeNull()
  expect(slowness(captured, make)).toBeNull()
})

test.each(texts)('parsed: %s', (_, make) => {
  const parsed = (text: string) => read(text, starter, 'chat')
  // Longer ones are not parsed.
  expect(slowness(parsed, make, { length: maxParsed, perMillion: 40_000 })).toBeNull()
  expect(slowness(parsed, make, { perMillion: 40_000 })).toBeNull()
})

test.each(texts)('a program that asks with %s', (_, make) => {
  const [c] = sampleCases
  const judged = (text: string) => {
    const result = [{ method: 'get', url: text, headers: { a: text }, params: { q: text }, data: text }]
    const observation: Observation = {
      ending: { status: 'completed', result: null },
      world: { state: { requests: result }, ids: { initial: [], created: [] }, gone: [] },
      log: [],
      output: text,
      faults: [],
      wallMs: 1,
      sandbox: 'none',
    }
    const readings = ['published', 'sound'].map((policy) => ({ policy, code: text, run: 0 }))
    const candidate: Candidate = {
      said: { kind: 'program', attempts: [{ message: 1, readings }] },
      transcripts: [{ role: 'model', messages: [{ role: 'assistant', content: text }] }],
      runs: [{ observations: [observation], runtime: 'r' }],
      consultations: [],
    }
    return sampleBenchmark.score({ case: c!, candidate: candidate })
  }
  expect(slowness(judged, make)).toBeNull()
})

/** What a program sent, as both policies read it. */
function captured(text: string) {
  const request: CapturedRequest = { method: 'post', url: text, headers: {}, params: undefined, data: text }
  buildSoundRequest(request, () => undefined)
  readNamedValues([[text, 'x']])
  try {
    buildPublishedConfig(request)
  } catch {
    // The mock refuses it.
  }
}
