/** Models in a file, what they cost, and what answers are kept under. */
import { expect, test } from '@jest/globals'
import type { ModelSettings } from '@stateeval/contracts'
import { createChecker } from '@stateeval/service-kit'
import {
  computeAnswerKey,
  openAnswers,
  createMemoryAnswers,
  computeCostUsd,
  findSettingsFault,
  explainOverBudget,
  readModels,
  readRules,
} from '../src/index.ts'

const rules = readRules({}, ['loopback'])
const read = (value: unknown) =>
  readModels('models.json', typeof value === 'string' ? value : JSON.stringify(value), rules, (schema, one) =>
    createChecker(schema).fault(one),
  )
const fine: ModelSettings = { baseUrl: 'http://127.0.0.1:8000/v1', model: 'x' }

test.each<[string, unknown, string]>([
  ['text', '{', 'models.json: is not valid JSON'],
  ['a list', [], 'models.json: must be an object of models by name'],
  ['a bad name', { 'a b': fine }, 'models.json, "a b": names may contain only letters'],
  ['a built-in', { mutant: fine }, 'models.json, mutant: is a built-in model'],
  ['a missing field', { mine: { model: 'x' } }, 'models.json, mine/baseUrl: is missing'],
  ['an unknown field', { mine: { ...fine, apiKey: 'sk-1' } }, 'models.json, mine/apiKey: is unknown'],
  ['a wrong type', { mine: { ...fine, prices: { promptPerMillion: 'free' } } }, 'models.json, mine/prices'],
  [
    'a refused host',
    { mine: { ...fine, baseUrl: 'http://169.254.169.254/v1' } },
    'models.json, mine/baseUrl: baseUrl is not allowed: 169.254.169.254',
  ],
  [
    'a variable that is no key',
    { mine: { ...fine, keyEnv: 'MONGODB_URI' } },
    'models.json, mine/keyEnv: MONGODB_URI is not allowed as a key',
  ],
  ['a reserved parameter', { mine: { ...fine, parameters: { messages: [] } } }, 'mine/parameters/messages'],
])('%s in a file of models is refused with its place', (_, value, says) => {
  expect(() => read(value)).toThrow(says)
  // What is wrong is named, what was written is not repeated: it may be a key.
  expect(() => read(value)).not.toThrow('sk-1')
})
test('a file of models is read; a prefix needs raw completions', () => {
  expect([...read({ mine: fine, 'other.one': { ...fine, api: 'completions', prefix: 'x' } }).keys()]).toEqual(
    ['mine', 'other.one'],
  )
  expect(findSettingsFault({ ...fine, prefix: 'x' }, rules)).toMatchObject({ field: '/prefix' })
  const role = { ...fine, systemRole: 'developer' } as const
  expect(findSettingsFault(role, rules)).toBeNull()
  for (const api of ['completions', 'embeddings'] as const)
    expect(findSettingsFault({ ...role, api }, rules)).toMatchObject({ field: '/systemRole' })
})

const usage = { requests: 1, promptTokens: 1_000_000, completionTokens: 500_000 }
const prices = { promptPerMillion: 2, completionPerMillion: 8 }
test('cost and budget', () => {
  expect(computeCostUsd(usage, prices)).toBe(6)
  expect(computeCostUsd(usage, undefined)).toBeNull()
  expect(explainOverBudget({ usd: 6 }, usage, prices)).toContain('$6 is spent')
  expect(explainOverBudget({ usd: 6.01, tokens: 1_500_001 }, usage, prices)).toBeNull()
  expect(explainOverBudget({ tokens: 1_500_000 }, usage, undefined)).toContain('1500000 tokens')
})

test('an answer’s key is made of all that decides it, and of nothing else', () => {
  const key = (settings: object = {}, content = 'hi', sample = 0) =>
    computeAnswerKey({ ...fine, ...settings }, { messages: [{ role: 'user', content }] }, sample)
  expect(
    key({ keyEnv: 'STATEEVAL_KEY_A', concurrency: 3, timeoutMs: 200, prices, stream: true, retries: 1 }),
  ).toBe(key())
  expect(key({ parameters: { top_p: 1, temperature: 0 } })).toBe(
    key({ parameters: { temperature: 0, top_p: 1 } }),
  )
  const others = [
    key(),
    key({ model: 'y' }),
    key({ baseUrl: 'http://x/v1' }),
    key({ parameters: { temperature: 0 } }),
    key({}, 'ho'),
    key({}, 'hi', 1),
    key({ api: 'completions' }),
  ]
  expect(new Set(others).size).toBe(others.length)
  // Kept answers outlive releases.
  expect(key()).toBe('6c428d69f81a4d73a0203312e1a6f4c01e0f6b24bf6c420ecb9a6f3c61f621cb')
})

test('the first answer that was stored is the answer', async () => {
  const answer = (text: string) => ({ key: 'k', by: 'ev_1', retries: 0, text, finish: 'stop', usage })
  const documents = new Map<string, { _id: string; text: string }>()
  const storedAnswers = openAnswers(
    {
      findOne: async ({ _id }) => documents.get(_id) ?? null,
      async insert(document) {
        if (documents.has(document._id)) return false
        documents.set(document._id, document)
        return true
      },
    },
    () => new Date(0),
    async () => undefined,
  )
  for (const answers of [storedAnswers, createMemoryAnswers()]) {
    expect(await answers.get('k')).toBeNull()
    expect(await answers.put('k', answer('first'))).toMatchObject({ text: 'first' })
    expect(await answers.put('k', answer('second'))).toMatchObject({ text: 'first' })
    expect(await answers.get('k')).toEqual(answer('first'))
  }
})
