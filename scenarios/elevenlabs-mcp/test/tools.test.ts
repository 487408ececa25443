import { describe, expect, test } from '@jest/globals'
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { applyTool } from '../apply.ts'
import { elevenLabsMcp } from '../index.ts'
import { createRecorded } from '../speech.ts'
import { openStudio } from '../state.ts'
import { type ToolName, toolNames, tools } from '../tools.ts'
import { standardLibrary } from '../values.ts'

const studio = openStudio({ voices: standardLibrary })
const noisy = createRecorded('one two three four five six', false)
const run = (name: ToolName, args: unknown) => {
  const transition = applyTool(name, studio, args)
  if (!transition.ok) throw new Error(transition.error.message)
  return transition.output
}
const refusal = (name: ToolName, args: unknown) => {
  const transition = applyTool(name, studio, args)
  return transition.ok ? 'accepted' : transition.error.message
}

test('a search matches everything that is given, exactly, ordered by name', () => {
  const names = (args: JsonValue) =>
    (run('search_voice_library', args) as { voice_name: string }[]).map(({ voice_name }) => voice_name)
  expect(names({ search_category: 'conversational' })).toEqual(['Bruno', 'Edda', 'Rosalie'])
  expect(names({ search_category: 'conversational', search_gender: 'female' })).toEqual(['Edda', 'Rosalie'])
  expect(names({ search_name: 'Nils' })).toEqual(['Nils'])
  expect(names({ search_name: 'nils' })).toEqual([])
})

test('a transcript of noise is another than one of the isolated voice', () => {
  expect(run('speech_to_text', { input_speech: noisy })).toMatchObject({
    text: 'one two three four [inaudible] six',
    word_count: 5,
  })
  const clean = run('isolate_audio', { input_speech: noisy })
  expect(clean).toMatchObject({ is_isolated: true, voice_name: null })
  expect(run('speech_to_text', { input_speech: clean, diarize: true })).toMatchObject({
    text: 'SPEAKER 0: one two three four five six',
    word_count: 6,
    history: [{ tool: 'isolate_audio' }, { tool: 'speech_to_text', diarize: true }],
  })
})

test('a conversion keeps words and noise, and says who speaks now', () =>
  expect(run('speech_to_speech', { input_speech: noisy, voice_name: 'Edda' })).toEqual({
    ...noisy,
    voice_name: 'Edda',
    history: [{ tool: 'speech_to_speech', voice_name: 'Edda' }],
  }))

test('what is left out is as null, and defaults are in the history', () => {
  const plain = run('text_to_speech', { text: 'hello there' })
  expect(run('text_to_speech', { text: 'hello there', voice_name: null, style: null })).toEqual(plain)
  expect(plain).toMatchObject({
    is_isolated: true,
    duration: 1,
    stability: 0.5,
    similarity_boost: 0.75,
    style: 0,
  })
})

test('a call is placed with the voice of the speech unless another is asked for; nothing is given', () => {
  const speech = run('text_to_speech', { text: 'hello', voice_name: 'Edda' })
  const calls = (args: JsonObject) => {
    const transition = applyTool('make_outbound_call', studio, { input_speech: speech, ...args })
    return transition.ok ? [transition.output, transition.world.calls] : transition.error
  }
  expect(calls({})).toEqual([undefined, [{ speech, voice_name: 'Edda', to_number: null }]])
  expect(calls({ voice_name: 'Nils', to_number: '+1' })).toEqual([
    undefined,
    [{ speech, voice_name: 'Nils', to_number: '+1' }],
  ])
  expect(studio.calls).toEqual([])
})

describe('what is refused', () => {
  const transcript = run('speech_to_text', { input_speech: noisy })
  test.each<[ToolName, unknown, string]>([
    [
      'search_voice_library',
      {},
      'search_voice_library needs one of search_name, search_category, search_gender',
    ],
    [
      'search_voice_library',
      { gender: 'female' },
      'search_voice_library has no parameter "gender"; it has search_name, search_category, search_gender',
    ],
    ['search_voice_library', { search_gender: 1 }, 'search_gender takes a string, not the number 1'],
    ['text_to_speech', {}, 'text_to_speech needs text'],
    ['text_to_speech', { text: ' ' }, 'text is empty'],
    ['text_to_speech', { text: 'x'.repeat(5001) }, 'text takes at most 5000 characters'],
    ['text_to_speech', { text: transcript }, 'text takes a string, not an object of the modality "text"'],
    [
      'text_to_speech',
      { text: 'x', voice_name: 'Emma' },
      'voice_name: the library has no voice "Emma"; list its voices with search_voice_library',
    ],
    [
      'text_to_speech',
      { text: 'x', stability: 1.1 },
      'stability takes a number from 0 to 1, not the number 1.1',
    ],
    ['text_to_speech', { text: 'x', style: '0.3' }, 'style takes a number from 0 to 1, not the string "0.3"'],
    ['text_to_speech', { text: 'x', voice_name: [] }, 'voice_name takes a string, not a list'],
    ['speech_to_speech', { input_speech: noisy }, 'speech_to_speech needs voice_name'],
    ['speech_to_speech', { input_speech: noisy, voice_name: null }, 'voice_name takes a string, not null'],
    [
      'speech_to_text',
      { input_speech: transcript },
      'input_speech takes a speech, not an object of the modality "text"',
    ],
    [
      'speech_to_text',
      { input_speech: noisy, diarize: 'yes' },
      'diarize takes true or false, not the string "yes"',
    ],
    ['isolate_audio', { input_speech: 'hello' }, 'input_speech takes a speech, not the string "hello"'],
    ['isolate_audio', { input_speech: { modality: 'speech' } }, 'input_speech is a speech without text'],
    [
      'isolate_audio',
      { input_speech: { ...noisy, pitch: 2 } },
      'input_speech is not a speech: it has the extra field "pitch"',
    ],
    [
      'isolate_audio',
      { input_speech: { ...noisy, duration: 0.5 } },
      'input_speech is not a speech: its duration is a number of seconds, not the number 0.5',
    ],
    [
      'isolate_audio',
      { input_speech: { ...noisy, history: [{ tool: 'x', deep: [] }] } },
      'input_speech is not a speech: its history is not a history entry',
    ],
    [
      'make_outbound_call',
      { input_speech: noisy, voice_name: 'Emma' },
      'voice_name: the library has no voice "Emma"; list its voices with search_voice_library',
    ],
    ['make_outbound_call', { voice_name: 'Edda' }, 'make_outbound_call needs input_speech'],
    ['isolate_audio', [noisy], 'isolate_audio takes its arguments by name, as an object'],
    [
      'isolate_audio',
      JSON.parse('{"__proto__": 1}'),
      'isolate_audio has no parameter "__proto__"; it has input_speech',
    ],
  ])('%#: %s', (name, args, message) => expect(refusal(name, args)).toBe(message))
})

test.each(['javascript', 'python'] as const)(
  'the documentation in %s has a section for each tool, with its parameters in order',
  (language) => {
    const sections = elevenLabsMcp.documentation(language).split(/^## /m).slice(1)
    expect(sections.map((section) => /^[a-z_]+/.exec(section)?.[0])).toEqual(toolNames)
    for (const section of sections) {
      const signature = /^Signature: `([a-z_]+)\((.*)\)`$/m.exec(section)
      const names = signature?.[2]?.split(', ').map((part) => part.replace(/=.*/, ''))
      expect([signature?.[1], names]).toEqual([
        /^[a-z_]+/.exec(section)?.[0],
        tools[signature?.[1] as ToolName].parameters.map(({ name }) => name),
      ])
    }
  },
)
