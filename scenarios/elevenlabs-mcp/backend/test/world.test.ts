/** The world without a jail: what the channel hands over is hostile, and runs never meet. */
import { afterAll, expect, test } from '@jest/globals'
import { type JsonValue, toJson } from '@stateeval/contracts'
import { completeLimits, type OpenWorld } from '@stateeval/sandbox'
import { defaultOptions, generate } from '@stateeval/generate'
import { listPathInputs, interpret, type Scenario } from '@stateeval/program'
import { elevenLabsMcp } from '../../index.ts'
import { createRecorded } from '../../speech.ts'
import { standardLibrary } from '../../values.ts'
import { createStudio } from '../studio.ts'
import { createElevenLabsWorld } from '../world.ts'

const world = createElevenLabsWorld()
afterAll(() => world.close())
const initial = { voices: toJson(standardLibrary) }
const open = () => world.open(initial, completeLimits(), 'seed')
const call = ({ channel }: OpenWorld, name: string, args: unknown) => {
  if (channel.kind !== 'calls') throw new Error('no calls')
  return channel.handle(name, args as JsonValue)
}
const speech = createRecorded('hello there', true)
const placed = async (run: OpenWorld) =>
  ((await run.observe()).world.state as { calls: unknown[] }).calls.length

test('a call is placed, logged, and seen by its own run only', async () => {
  const [one, other] = [await open(), await open()]
  expect(await call(one, 'make_outbound_call', { input_speech: speech, to_number: '+1' })).toEqual({
    ok: true,
    value: null,
  })
  expect(await one.observe()).toMatchObject({
    world: { state: { calls: [{ speech, voice_name: null, to_number: '+1' }] } },
    log: [{ method: 'CALL', path: 'make_outbound_call', status: 200, responseBody: 'null' }],
    faults: [],
  })
  expect(await placed(other)).toBe(0)
  await Promise.all([one.close(), one.close(), other.close()])
  const next = await open()
  expect(await placed(next)).toBe(0)
  await next.close()
})

test('a call that is under way when a run ends reaches nobody else', async () => {
  const one = await open()
  const late = call(one, 'make_outbound_call', { input_speech: speech })
  const closing = one.close()
  expect(await call(one, 'make_outbound_call', { input_speech: speech })).toMatchObject({
    ok: false,
    error: { message: 'the run has ended' },
  })
  await closing
  const next = await open()
  await late
  expect(await placed(next)).toBe(0)
  await next.close()
})

test.each<[string, unknown]>([
  ['rm -rf', {}],
  ['', null],
  ['toString', {}],
  ['__proto__', {}],
  ['text_to_speech', null],
  ['text_to_speech', 'x'],
  ['text_to_speech', [{ text: 'x' }]],
  ['text_to_speech', { text: { modality: 'speech' } }],
  ['text_to_speech', JSON.parse('{"__proto__": {"text": "x"}}')],
  ['isolate_audio', { input_speech: JSON.parse(`${'[1,'.repeat(50)}1${']'.repeat(50)}`) }],
  [
    'isolate_audio',
    { input_speech: { ...speech, history: Array.from({ length: 300 }, () => ({ tool: 'x' })) } },
  ],
  ['isolate_audio', { input_speech: { ...speech, history: [{ tool: 'x', more: 'y'.repeat(200) }] } }],
  ['isolate_audio', { input_speech: { ...speech, constructor: 1 } }],
])('hostile arguments of %s are refused with words and harm nothing', async (name, args) => {
  const run = await open()
  expect(await call(run, name, args)).toMatchObject({
    ok: false,
    error: { name: 'ToolError', message: expect.stringMatching(/\w{4}/) },
  })
  expect(await call(run, 'isolate_audio', { input_speech: speech })).toMatchObject({ ok: true })
  expect((await run.observe()).faults).toEqual([])
  await run.close()
})

test.each([
  [null, 'world: give'],
  [{ voices: [{ voice_name: 'A', category: 'x' }] }, 'world.voices[0].gender'],
  [
    { voices: [...standardLibrary, standardLibrary[0]] },
    'world.voices[10].voice_name: "Anselm" is there already',
  ],
])('an initial world is refused: %#', async (wrong, says) => {
  await expect(world.open(wrong as JsonValue, completeLimits(), 'seed')).rejects.toThrow(says)
})

test('no generated program is rejected, of any length', () => {
  const scenario: Scenario = elevenLabsMcp
  const long = process.env['STATEEVAL_LONG'] !== undefined
  const sets = [
    [5, long ? 6000 : 100, 'planned'],
    [5, long ? 3000 : 60, 'random'],
    [2, long ? 300 : 20, 'coverage'],
    [12, long ? 800 : 15, 'random'],
    [30, long ? 300 : 4, 'random'],
    [50, long ? 300 : 4, 'random'],
  ] as const
  let programs = 0
  for (const [length, count, strategy] of sets) {
    for (const { program } of generate(scenario, {
      ...defaultOptions,
      seed: length,
      length,
      count,
      strategy,
      observable: length < 20,
    })) {
      programs++
      const inputs = listPathInputs(program)
      for (const input of inputs) {
        const studio = createStudio(input.world)
        const replies: unknown[] = []
        const predicted = interpret(program, scenario, input, ({ api }, { args, output }) => {
          const answer = studio.call(api, args)
          replies.push([answer, { ok: true, value: output ?? null }])
        })
        expect(predicted.ok).toBe(true)
        for (const reply of replies) {
          const [answer, expected] = reply as [unknown, unknown]
          expect(answer).toEqual(expected)
        }
        expect(studio.world()).toEqual(predicted.world)
      }
    }
  }
  expect(programs).toBe(sets.reduce((sum, [, count]) => sum + count, 0))
})
