/** Attempts are answers that the contracts accept, and code that its language can read. */
import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { GivenAnswer, findSchemaFault } from '@stateeval/contracts'
import {
  type AnswerContent,
  type AnswerForm,
  type CheatingAttempt,
  attempts,
  sandboxAttempts,
  spoilAnswer,
  themes,
} from '@stateeval/attacks/attempts'

const fenced = (language: string, code: string) => ({ answer: `\`\`\`${language}\n${code}\n\`\`\`\n` })
const honest: Record<AnswerForm, AnswerContent> = {
  javascript: fenced('javascript', "const axios = require('axios');\nRESULT = { all: 1 };"),
  python: fenced('python', 'import requests\nRESULT = {"all": 1}'),
  calls: { answer: '[{"name": "add", "label": "$var_1", "arguments": {"a": 1}}]' },
  dialogue: {
    replies: [
      { text: '', toolCalls: [{ id: 'c', name: 'add', arguments: '{"a":1}' }], finish: 'tool_calls' },
      { text: 'done' },
    ],
  },
}
const all = [...attempts, ...sandboxAttempts]
const forms = Object.keys(honest) as AnswerForm[]
const turned = (attempt: CheatingAttempt) => attempt.turn(honest[attempt.form])
/** What reads answers takes the code of the first fence; a text around it is no code. */
const codeIn = (content: AnswerContent) =>
  'answer' in content ? /```[a-z]+\n([^]*)\n```/.exec(content.answer)?.[1] : undefined
const inCode = (form: AnswerForm) =>
  all.filter(({ form: of, name }) => of === form && !name.startsWith('answers:'))

test('every attempt has a theme and a name of its own, and there are many for each form', () => {
  expect(new Set(all.map(({ name, form }) => `${form} ${name}`)).size).toBe(all.length)
  for (const { name } of all) expect(Object.keys(themes)).toContain(name.split(':')[0])
  for (const form of forms)
    expect([form, attempts.filter((one) => one.form === form).length > 40]).toEqual([form, true])
})

test('every attempt makes another answer, which the API accepts', () => {
  for (const attempt of all) {
    const content = turned(attempt)
    expect([attempt.name, content]).not.toEqual([attempt.name, honest[attempt.form]])
    expect([attempt.name, findSchemaFault(GivenAnswer, { case: 'c', ...content })]).toEqual([
      attempt.name,
      null,
    ])
  }
})

test('a spoiled answer differs from the honest one, and attempts work on it as well', () => {
  for (const form of forms)
    for (const wrong of spoilAnswer(honest[form], form)) {
      expect(wrong).not.toEqual(honest[form])
      for (const attempt of all.filter((one) => one.form === form)) {
        const fault = findSchemaFault(GivenAnswer, { case: 'c', ...attempt.turn(wrong) })
        expect([attempt.name, fault]).toEqual([attempt.name, null])
      }
    }
})

const request = "// Get it\nconst axios = require('axios');\n\naxios.get('https://x.example/');"
test.each([
  ['a program', honest.javascript],
  ['one request', { answer: request }],
])('attempts in JavaScript can be read together with %s', (_, content) => {
  const AsyncFunction = (async () => {}).constructor as new (code: string) => unknown
  const unreadable = inCode('javascript').filter((attempt) => {
    const turned = attempt.turn(content)
    try {
      return !new AsyncFunction(codeIn(turned) ?? ('answer' in turned ? turned.answer : ''))
    } catch {
      return true
    }
  })
  expect(unreadable.map(({ name }) => name)).toEqual([])
})

test('attempts in Python can be read together with the honest code', () => {
  const texts = inCode('python').map((attempt) => ({ name: attempt.name, code: codeIn(turned(attempt)) }))
  const read =
    'import ast, json, sys\nfor one in json.load(sys.stdin):\n    try:\n        compile(one["code"], "x", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)\n    except SyntaxError as error:\n        print(one["name"], error)'
  expect(execFileSync('python3', ['-c', read], { input: JSON.stringify(texts), encoding: 'utf8' })).toBe('')
})
