/** Attempts on lists of calls in JSON. */
import { type CheatingAttempt, getAnswerText } from './attempt.ts'
import { hostileArguments } from './arguments.ts'

interface ListedCall {
  name: string
  label?: string
  arguments?: unknown
}

/** The calls of an answer: of its list, wherever that begins. */
function parseListedCalls(text: string): ListedCall[] {
  const from = text.indexOf('[')
  try {
    const value = JSON.parse(text.slice(from)) as unknown
    return Array.isArray(value) ? (value as ListedCall[]) : []
  } catch {
    return []
  }
}

const long = 'x'.repeat(500_000)
const formatCallText = (name: string, args: string, label = '$var_1') =>
  `{"name":${JSON.stringify(name)},"label":${JSON.stringify(label)},"arguments":${args}}`
const list = (...items: string[]) => `[${items.join(',')}]`
const getFirstName = (calls: readonly ListedCall[]) => calls[0]?.name ?? 'wrong'

const changes: Record<string, (calls: readonly ListedCall[], text: string) => string> = {
  'no calls': () => '[]',
  null: () => '[null]',
  'an object': (_, text) => `{"0":${text},"length":1,"__proto__":[]}`,
  'all calls twice': (calls) => JSON.stringify([...calls, ...calls]),
  '10,001 calls': (calls) => list(...Array<string>(10_001).fill(formatCallText(getFirstName(calls), '{}'))),
  'a name of 500,000 characters': () => list(formatCallText(long, '{}')),
  'a label of 500,000 characters': (calls) => list(formatCallText(getFirstName(calls), '{}', `$${long}$`)),
  'lone halves of characters as names': () => list(formatCallText('\ud800', '{"\ud800":"\udc00"}', '\ud800')),
  'names of every object': () =>
    list(
      ...['__proto__', 'constructor', 'toString', 'eval', '__class__', '__import__'].map((name) =>
        formatCallText(name, '{}'),
      ),
    ),
  'a label that is its own reference': (calls) =>
    list(formatCallText(getFirstName(calls), '{"a":"$var_1.result$"}')),
  'references far beyond a list': (calls) =>
    list(formatCallText(getFirstName(calls), '{"a":"$var_0.a.b.c[999999999]$"}')),
  'references that grow': (calls) =>
    list(
      ...Array.from({ length: 40 }, (_, n) =>
        formatCallText(
          getFirstName(calls),
          JSON.stringify({ arg_0: Array(30).fill(`$v${n - 1}.result$`) }),
          `$v${n}$`,
        ),
      ),
    ),
  'patterns for references': (calls) =>
    list(formatCallText(getFirstName(calls), `{"a":"${'$'.repeat(100_000)}"}`)),
  'no name': () => '[{"label":"$var_1","arguments":{}}]',
  'arguments that are a text': (calls) => list(formatCallText(getFirstName(calls), '"{}"')),
  'the judge’s own members': (calls) =>
    JSON.stringify(calls.map((call) => ({ ...call, gold: true, matched: true, score: 1, truth: 'any' }))),
}

export const callAttempts: readonly CheatingAttempt[] = [
  ...Object.entries(changes).map(([name, change]): CheatingAttempt => ({
    name: `calls: ${name}`,
    form: 'calls',
    turn: (honest) => ({ answer: change(parseListedCalls(getAnswerText(honest)), getAnswerText(honest)) }),
  })),
  ...Object.entries(hostileArguments).map(([name, args]): CheatingAttempt => ({
    name: `calls: arguments: ${name}`,
    form: 'calls',
    // The calls come first, so that whatever the arguments break, they break with an answer available.
    turn: (honest) => {
      const calls = parseListedCalls(getAnswerText(honest))
      return {
        answer: list(
          ...calls.map((call) => JSON.stringify(call)),
          formatCallText(getFirstName(calls), args || '{}', '$var_99'),
        ),
      }
    },
  })),
]
