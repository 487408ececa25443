import { expect, test } from '@jest/globals'
import { baseSettings, defineSettings, readSettings, SettingsError } from '../src/index.ts'

const settings = defineSettings({
  COUNT: { type: 'integer', default: 3, min: 1, max: 9, doc: 'How many' },
  ENDPOINT: { type: 'url', doc: 'Where the model answers' },
  TOKEN: { type: 'string', optional: true, secret: true, pattern: /^[a-z]+$/, doc: 'Opens it' },
  MODE: { type: 'string', default: 'slow', choices: ['slow', 'fast'], doc: 'How fast' },
  ON: { type: 'boolean', default: true, doc: 'Whether' },
  NAMES: { type: 'list', default: [], doc: 'Which' },
})

test('values are typed, trimmed and complete', () => {
  const values = readSettings(settings, {
    ENDPOINT: ' http://localhost:1 ',
    COUNT: '9',
    ON: 'false',
    NAMES: 'a, b,',
    MODE: '',
  })
  expect(values).toEqual({
    COUNT: 9,
    ENDPOINT: 'http://localhost:1',
    TOKEN: undefined,
    MODE: 'slow',
    ON: false,
    NAMES: ['a', 'b'],
  })
  expect(Object.isFrozen(values)).toBe(true)
})

test('all faults come at once; each names the variable and what to set, and no secret is shown', () => {
  const read = () => readSettings(settings, { COUNT: '10', TOKEN: 'S3CRET', MODE: 'warp', ON: 'yes' })
  expect(read).toThrow(SettingsError)
  let text = ''
  try {
    read()
  } catch (error) {
    text = (error as Error).message
  }
  expect(text).toContain('COUNT=10: set a whole number between 1 and 9')
  expect(text).toContain('ENDPOINT is not set: Where the model answers')
  expect(text).toContain('MODE=warp: set one of slow, fast')
  expect(text).toContain('ON=yes: set true or false')
  expect(text).toContain('TOKEN: set a value of the form')
  expect(text).not.toContain('S3CRET')
})

test.each(['1e3', '1.5', '', '0x10', 'NaN', '-'])('%j is no whole number', (text) => {
  const read = () => readSettings(settings, { ENDPOINT: 'a://b', COUNT: text })
  if (text === '') expect(read().COUNT).toBe(3)
  else expect(read).toThrow(/COUNT/)
})

test('a namespace that would not do as the name of a stream is refused', () => {
  expect(() => readSettings(baseSettings, { STATEEVAL_NAMESPACE: 'a.b*' })).toThrow(
    /STATEEVAL_NAMESPACE=a.b\*/,
  )
})
