/** The names that telemetry uses, against the package of the semantic conventions. */
import { expect, test } from '@jest/globals'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { evaluationResult, genAi, genAiMetrics, selectSendable } from '../src/tracing/gen-ai.ts'

test('every name is one of the semantic conventions', () => {
  const known = new Set<unknown>(Object.values(conventions))
  for (const name of [...Object.values(genAi), ...Object.values(genAiMetrics), evaluationResult])
    expect([name, known.has(name)]).toEqual([name, true])
})

test('names of projects are sent only where they are asked for', () => {
  const attributes = { [genAi.operation]: 'chat', [genAi.requestModel]: 'mine', 'server.address': 'gpu' }
  expect(selectSendable(attributes, false)).toEqual({ [genAi.operation]: 'chat' })
  expect(selectSendable(attributes, true)).toBe(attributes)
})
