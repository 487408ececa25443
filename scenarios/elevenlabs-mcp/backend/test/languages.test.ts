/** Generated programs in the real sandbox: both languages, all inputs, end as the state machine predicts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { JsonValue, Language, Observation, Program, ExecutionInput } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import { emit, listPathInputs, interpret, type Scenario } from '@stateeval/program'
import { completeLimits, createSandbox } from '@stateeval/sandbox'
import { judgeInput } from '@stateeval/score'
import { elevenLabsMcp } from '../../index.ts'
import { createElevenLabsWorld } from '../world.ts'

const scenario: Scenario = elevenLabsMcp
const long = process.env['STATEEVAL_LONG'] !== undefined
const world = createElevenLabsWorld()
let sandbox: Awaited<ReturnType<typeof createSandbox>>
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(async () => {
  await sandbox.close()
  await world.close()
})

const runIn = (language: Language, code: string, inputs: readonly ExecutionInput[]): Promise<Observation[]> =>
  sandbox.run(
    { language, code, inputs: inputs, world, limits: completeLimits({ wallMs: 100_000 }) },
    new AbortController().signal,
  )

test('programs in both languages end as predicted', async () => {
  const programs: Program[] = [
    ...generate(scenario, { ...defaultOptions, seed: 21, count: long ? 400 : 16 }),
    ...generate(scenario, { ...defaultOptions, seed: 22, count: long ? 300 : 8, strategy: 'random' }),
    ...generate(scenario, {
      ...defaultOptions,
      seed: 23,
      count: long ? 50 : 2,
      strategy: 'random',
      length: 20,
      observable: false,
    }),
    ...generate(scenario, { ...defaultOptions, seed: 24, count: long ? 100 : 3, branches: 3 }),
  ].map(({ program }) => program)
  const languages = (['javascript', 'python'] as const).filter((language) =>
    sandbox.languages.includes(language),
  )
  let calls = 0
  await Promise.all(
    programs.map(async (program) => {
      const inputs = listPathInputs(program)
      for (const language of languages) {
        const observations = await runIn(language, emit(program, language) as string, inputs)
        for (const [index, observation] of observations.entries()) {
          const predicted = interpret(program, scenario, inputs[index])
          expect(predicted.ok && observation.ending).toEqual(
            predicted.ok && { status: 'completed', result: predicted.result },
          )
          expect(observation.world).toEqual(predicted.world)
          calls += observation.log.length
          if (predicted.ok)
            expect(
              judgeInput({ result: predicted.result, world: predicted.world }, observation, scenario.compare)
                .verdict,
            ).toBe('passed')
        }
      }
    }),
  )
  if (languages.length < 2) console.log(`skipped: ${sandbox.unavailable.python}`)
  expect(calls).toBeGreaterThan(programs.length * 5)
})

const speech = {
  modality: 'speech',
  text: 'a b',
  voice_name: null,
  is_isolated: false,
  duration: 1,
  stability: null,
  similarity_boost: null,
  style: null,
  history: [],
}
const input = {
  variables: { speech } as Record<string, JsonValue>,
  world: { voices: [{ voice_name: 'Edda', category: 'news', gender: 'female' }] } as JsonValue,
}
const end = async (language: Language, code: string) => (await runIn(language, code, [input]))[0]!
const result = async (language: Language, code: string) => {
  const { ending } = await end(language, code)
  return ending.status === 'completed' ? ending.result : ending
}

test('JavaScript passes arguments by name, by position, or both', async () => {
  const both = [
    `await speech_to_speech({ input_speech: speech, voice_name: 'Edda' })`,
    `await speech_to_speech(speech, 'Edda')`,
    `await speech_to_speech(speech, { voice_name: 'Edda' })`,
  ]
  const [first, ...others] = (await result('javascript', `RESULT = [${both.join(', ')}]`)) as JsonValue[]
  expect(first).toMatchObject({ voice_name: 'Edda' })
  expect(others).toEqual([first, first])
  expect(await result('javascript', `RESULT = await search_voice_library(null, 'news')`)).toHaveLength(1)
  expect(await result('javascript', `RESULT = await text_to_speech('hi', undefined, 0.3)`)).toMatchObject({
    stability: 0.3,
    voice_name: null,
  })
})

test.each([
  ['javascript', `await isolate_audio(speech, 1, 2)`, 'ToolError', 'isolate_audio takes at most 1 arguments'],
  [
    'javascript',
    `await speech_to_speech(speech, { input_speech: speech })`,
    'ToolError',
    'speech_to_speech got input_speech twice',
  ],
  [
    'javascript',
    `await text_to_speech({ text: 'x', voice: 'Edda' })`,
    'ToolError',
    'text_to_speech has no parameter "voice"; it has text, voice_name, stability, similarity_boost, style',
  ],
  ['javascript', `await make_outbound_call({})`, 'ToolError', 'make_outbound_call needs input_speech'],
  [
    'python',
    `make_outbound_call(speech, voice_name="Emma")`,
    'ToolError',
    'voice_name: the library has no voice "Emma"; list its voices with search_voice_library',
  ],
  [
    'python',
    `text_to_speech(text="x", voice="Edda")`,
    'TypeError',
    expect.stringContaining('unexpected keyword argument'),
  ],
  [
    'python',
    `isolate_audio()`,
    'TypeError',
    expect.stringContaining('missing 1 required positional argument'),
  ],
] as const)('%s: %s throws', async (language, code, name, message) => {
  if (!sandbox.languages.includes(language)) return
  const { ending, world: after } = await end(language, `x = 1\n${code}`)
  expect(ending).toMatchObject({ status: 'threw', error: { name, message, line: 2 } })
  expect(after).toEqual({ state: { calls: [] }, ids: { initial: [], created: [] }, gone: [] })
})

test('an error can be caught, and what was given stays as it was', async () => {
  expect(
    await result(
      'javascript',
      `try { await isolate_audio('x') } catch (error) { RESULT = [error instanceof Error, error.name] }`,
    ),
  ).toEqual([true, 'ToolError'])
  expect(
    await result('javascript', `await speech_to_text(speech); await isolate_audio(speech); RESULT = speech`),
  ).toEqual(speech)
  if (sandbox.languages.includes('python'))
    expect(await result('python', `speech_to_text(speech, True)\nRESULT = speech`)).toEqual(speech)
})

test.each(['javascript', 'python'] as const)(
  'the examples of the documentation run in %s',
  async (language) => {
    if (!sandbox.languages.includes(language)) return
    const examples = [...scenario.documentation(language).matchAll(/^```\w+\n([\s\S]*?)^```/gm)].map(
      ([, code]) => code,
    )
    expect(examples).toHaveLength(6)
    const last =
      language === 'python'
        ? 'RESULT = [converted, transcript, clean]'
        : 'RESULT = [converted, transcript, clean];'
    const narrator = {
      ...input,
      variables: {},
      world: { voices: [{ voice_name: 'Cosima', category: 'narration', gender: 'female' }] },
    }
    const { ending, world: after } = (await runIn(language, `${examples.join('')}${last}\n`, [narrator]))[0]!
    expect(ending).toMatchObject({
      status: 'completed',
      result: [{ voice_name: 'Cosima' }, { diarize: true }, { is_isolated: true }],
    })
    expect(after?.state).toMatchObject({
      calls: [{ voice_name: 'Cosima', to_number: '+1 202 555 0100', speech: { style: 0.3 } }],
    })
  },
)
