/** The same log gives the same bytes; and calls as tools answer what MCP clients are answered. */
import { expect, test } from '@jest/globals'
import type { JsonObject } from '@stateeval/contracts'
import { completeLimits } from '@stateeval/sandbox'
import { callTool, replayLaw } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { createRecorded } from '../../speech.ts'
import { toolNames } from '../../tools.ts'
import { createElevenLabsWorld } from '../world.ts'

const value = fc.constantFrom('Emma', 'hello there', 0.3, true, null, 7)
const args = fc.record(
  {
    text: value,
    voice_name: fc.constantFrom('Emma', 'Anselm', 'nobody'),
    search_gender: fc.constantFrom('female', 'male'),
    stability: value,
    diarize: value,
    to_number: fc.constant('+1'),
    input_speech: fc.constantFrom('speech', 'last'),
  },
  { requiredKeys: [] },
)

replayLaw('elevenlabs-mcp', () => Promise.resolve(createElevenLabsWorld()), {
  initial: {},
  entry: fc.record({ tool: fc.constantFrom(...toolNames, 'rm'), args }),
  send(open, { tool, args: { input_speech, ...rest } }, replies) {
    const toolArgs = rest as JsonObject
    if (input_speech === 'speech') toolArgs['input_speech'] = createRecorded('hello there', true)
    if (input_speech === 'last') toolArgs['input_speech'] = lastIn(replies)
    return callTool(open, tool, toolArgs)
  },
})

function lastIn(replies: readonly string[]): JsonObject {
  const { content = 'null' } = JSON.parse(replies.at(-1) ?? '{}') as { content?: string }
  return content.startsWith('{') ? (JSON.parse(content) as JsonObject) : {}
}

test('a tool answers its value as JSON, or why it refused', async () => {
  const world = createElevenLabsWorld()
  const open = await world.open({}, completeLimits(), 'seed')
  const spoken = await open.call!('text_to_speech', { text: 'hello' })
  expect(spoken.error).toBeUndefined()
  expect(JSON.parse(spoken.content)).toMatchObject({ modality: 'speech', text: 'hello' })
  expect(await open.call!('text_to_speech', {})).toEqual({
    content: 'text_to_speech needs text',
    error: true,
  })
  expect((await open.observe()).log).toHaveLength(2)
  await open.close()
  await world.close()
})
