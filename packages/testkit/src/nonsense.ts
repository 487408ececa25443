/**
 * Invalid requests: for each operation, its example with one place made wrong, and malformed requests. A
 * service must refuse each with a helpful problem, or do what it says; it must never fail internally.
 */
import type { HttpOperation, HttpOperations } from '@stateeval/contracts'

export interface Nonsense {
  /** The operation that it is sent to. */
  id: string
  /** What was done to the request, for messages of tests. */
  what: string
  method: HttpOperation['method']
  url: string
  headers: Record<string, string>
  payload?: string
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** JSON texts that take the place of a value; some have no counterpart in JavaScript. */
export const wrongValues: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '1.5', '1e308', '1e999', '-0', '9007199254740993'],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"💥"',
    '"__proto__"',
    '"constructor"',
    '"../../etc/passwd"',
    '"$where"',
  ],
  ...[
    '[]',
    '[null]',
    '{}',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{}}}',
    '{"$gt":""}',
    '{"toString":1}',
  ],
  `"${'x'.repeat(300_000)}"`,
  nested(40),
  nested(20_000),
]
/** Texts for places in paths and queries, as they stand in a URL. */
export const wrongTexts: readonly string[] = [
  ...[
    'nobody',
    '0',
    '-1',
    '0.3333',
    '1e-300',
    '1e9',
    'NaN',
    'true',
    '__proto__',
    'constructor',
    '$ne',
    '%00',
    '%ff',
    '%',
    '%2e%2e%2f',
    '..',
    '%F0%9F%92%A5',
  ],
  ...['%20', 'a%2Fb', '%5B%5D', 'x'.repeat(201), 'x'.repeat(600)],
]
/** Bodies that are wrong as a whole, with their content type. */
const bodies: [what: string, payload: string, type?: string][] = [
  ['an empty body', ''],
  ['half a body', '{"scenario": '],
  ['no JSON', '<a/>'],
  ['a text', '"text"'],
  ['a list', '[]'],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['unknown members only', '{"": 1, "hasOwnProperty": 2}'],
  ['a prototype', '{"__proto__": {"a": 1}}'],
  ['a body of lists', nested(100_000)],
  ['a byte order mark', '\ufeff{}'],
  ['XML', '<a/>', 'application/xml'],
  ['a form', 'a=1', 'application/x-www-form-urlencoded'],
  ['plain text', '{}', 'text/plain'],
  ['no content type', '{}', ''],
  ['an unknown charset', '{}', 'application/json; charset=klingon'],
]

/** Every request, one operation after the other. */
export function* nonsense(operations: HttpOperations): Generator<Nonsense> {
  for (const [id, operation] of Object.entries(operations)) {
    const { method, path, example } = operation
    const at = (url: string, what: string, payload?: string, type = 'application/json'): Nonsense => {
      const headers: Record<string, string> =
        payload === undefined || type === '' ? {} : { 'content-type': type }
      return { id, what, method, url, headers, ...(payload !== undefined && { payload }) }
    }
    const exampleBody = operation.body ? JSON.stringify(example) : undefined
    const somewhere = path.replace(/:\w+/g, 'nobody')
    for (const name of path.match(/:\w+/g) ?? [])
      for (const text of wrongTexts)
        yield at(path.replace(name, text).replace(/:\w+/g, 'nobody'), `${name} is ${text}`, exampleBody)
    const query: { properties?: object } | undefined = operation.query
    for (const name of [...Object.keys(query?.properties ?? {}), 'unknown'])
      for (const text of [...wrongTexts, `1&${name}=2`])
        yield at(`${somewhere}?${name}=${text}`, `${name} is ${text}`, exampleBody)
    if (exampleBody === undefined) continue
    for (const [what, payload, type] of bodies) yield at(somewhere, what, payload, type)
    for (const [what, payload] of wrongPlaces(example)) yield at(somewhere, what, payload)
    yield {
      ...at(somewhere, 'a key with a space', exampleBody),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'a b' },
    }
  }
}

/** The example with one place replaced, left out, given a companion or said twice. */
function* wrongPlaces(example: unknown): Generator<[what: string, payload: string]> {
  for (const place of jsonPlaces(example)) {
    const { path, holder, key } = place
    const object = holder as Record<string, unknown>
    const originalValue = object[key]
    for (const value of wrongValues)
      yield [`${path} is ${value.slice(0, 40)}`, replaceInJson(example, place, value)]
    if (Array.isArray(holder)) continue
    delete object[key]
    const without = JSON.stringify(example)
    object[key] = originalValue
    yield [`${path} is missing`, without]
    object[hole] = originalValue
    yield [`${path} has a companion`, JSON.stringify(example)]
    yield [`${path} stands twice`, JSON.stringify(example).replace(`"${hole}"`, () => JSON.stringify(key))]
    delete object[hole]
  }
}
const hole = 'a place like no other'

/** Where a value of a JSON document stands. */
interface JsonPlace {
  path: string
  holder: object
  key: string
}

/** The places below a value, each before those in it. */
export function* jsonPlaces(value: unknown, path = ''): Generator<JsonPlace> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    yield { path: `${path}/${key}`, holder: value, key }
    yield* jsonPlaces(member, `${path}/${key}`)
  }
}

/** The document as JSON, with this text in one of its places. */
export function replaceInJson(document: unknown, { holder, key }: JsonPlace, text: string): string {
  const object = holder as Record<string, unknown>
  const originalValue = object[key]
  object[key] = hole
  const json = JSON.stringify(document).replace(`"${hole}"`, () => text)
  object[key] = originalValue
  return json
}
