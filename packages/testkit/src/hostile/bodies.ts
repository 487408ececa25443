/** Bodies that no honest caller sends: too much of something, no JSON, or in other clothes. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { RandomSource } from '@stateeval/program'
import { jsonPlaces, replaceInJson, wrongValues } from '../nonsense.ts'
import { magnitude, setHeader, type RequestSpoiler } from './draft.ts'

const numbers = [
  '-0',
  '1e-400',
  '5e-324',
  '9007199254740993',
  '-9223372036854775809',
  '1e308',
  '1e309',
  '0.1e1',
]
const texts = [
  '\\u0000',
  '\\ud83d',
  '\\udc00\\ud800',
  '\\u202e\\u2066',
  'e\\u0301'.repeat(50),
  '\u{1f9d1}\u200d\u{1f680}',
  '\ufeff',
  'ß'.repeat(300),
  '\\u2028\\u2029',
  '-----BEGIN',
  '${7*7}{{7*7}}',
  "' OR 1=1 --",
  '\\r\\nSet-Cookie: a=b',
]

/** The example with a text in a place that is drawn; the text itself where it has none. */
function withText(example: unknown, rng: RandomSource, text: string): { where: string; json: string } {
  const places = [...jsonPlaces(example)]
  if (places.length === 0) return { where: 'the body', json: text }
  const place = rng.pick(places)
  return { where: place.path, json: replaceInJson(example, place, text) }
}

/** A spoiler that puts a text into a place of the example. */
const inPlace =
  (
    draw: (
      rng: RandomSource,
      scale: Parameters<RequestSpoiler>[2],
      example: unknown,
    ) => { what: string; text: string },
  ): RequestSpoiler =>
  (draft, rng, scale, { example }) => {
    const { what, text } = draw(rng, scale, example)
    const { where, json } = withText(example, rng, text)
    draft.body = Buffer.from(json)
    return `${where} is ${what}`
  }
const repeatItem = (count: number, item: string) => `[${`${item},`.repeat(count)}${item}]`

const items = ['0', '""', '{}', '[]', 'null', '{"a":1}', '[[]]']

/** Each replaces the body by a text of its own. */
const syntaxes: Readonly<Record<string, (json: string, rng: RandomSource) => string | Buffer>> = {
  'cut off': (json, rng) => json.slice(0, rng.int(0, json.length)),
  'with a byte changed': (json, rng) => {
    const bytes = Buffer.from(json)
    if (bytes.length > 0) bytes[rng.int(0, bytes.length - 1)] = rng.int(0, 255)
    return bytes
  },
  'said twice': (json) => json + json,
  'lines of JSON': (json) => `${json}\n`.repeat(3),
  'with comments': (json) => `/* a */ ${json} // b`,
  'with a comma too many': (json) => json.replace(/[}\]]$/, ',$&'),
  'in single quotes': (json) => json.replaceAll('"', "'"),
  'with numbers that are none': (json) => json.replace(/^\{/, '{"a": NaN, "b": +1, "c": 01, "d": .5,'),
  'a raw line break in a text': (json) => json.replace('"', '"\n'),
  YAML: () => 'a: &a [1, 2]\nb: *a\n',
  'YAML of anchors': () =>
    Array.from({ length: 2000 }, (_, n) => `a${n}: &a${n} [*a${Math.max(0, n - 1)}]`).join('\n'),
  'a part of a form': () =>
    '--x\r\nContent-Disposition: form-data; name="a"; filename="../../a"\r\n\r\n1\r\n--x--',
  'UTF-16': (json) => Buffer.from(`\ufeff${json}`, 'utf16le'),
  'Latin-1': (json) => Buffer.from(json.replace('"', '"äöü'), 'latin1'),
  'overlong UTF-8': (json) => Buffer.concat([Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from(json)]),
  'with NUL bytes': (json) => `\0${json}\0`,
  'random bytes': (_, rng) => Buffer.from(Array.from({ length: rng.int(1, 2000) }, () => rng.int(0, 255))),
}
const contentTypes = [
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/yaml',
  'application/x-ndjson',
  'application/octet-stream',
  'text/plain',
  '',
  'json',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; charset=utf-7',
  `application/json${'; a=b'.repeat(500)}`,
  'application/json, text/plain',
  'application/json;;;"',
  'APPLICATION/JSON',
  'application/problem+json',
  'application/*',
]
const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  'gzip, gzip': (bytes) => gzipSync(gzipSync(bytes)),
  identity: (bytes) => bytes,
  klingon: (bytes) => bytes,
}

/** For operations that take a body. */
export const bodySpoilers: Readonly<Record<string, RequestSpoiler>> = {
  value: inPlace((rng) => {
    const text = rng.pick(wrongValues)
    return { what: text.slice(0, 40), text }
  }),
  number: inPlace((rng) => {
    const text = rng.pick(numbers)
    return { what: text, text }
  }),
  text: inPlace((rng) => {
    const text = `"${rng.pick(texts)}"`
    return { what: text, text }
  }),
  size: inPlace((rng, { bytes }) => {
    const size = magnitude(rng, bytes)
    return {
      what: `a text of ${size} characters`,
      text: `"${rng.pick(['x', ' ', '\\n', '\\u0041']).repeat(size)}"`.slice(0, bytes),
    }
  }),
  depth: inPlace((rng, { depth }) => {
    const levels = magnitude(rng, depth)
    const [open, close] = rng.pick([
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":', '}]'],
    ] as const)
    return { what: `${levels} levels of ${open}`, text: `${open.repeat(levels)}1${close.repeat(levels)}` }
  }),
  items: inPlace((rng, { count }) => {
    const item = rng.pick(items)
    const length = magnitude(rng, count)
    return { what: `${length} times ${item}`, text: repeatItem(length, item) }
  }),
  members: inPlace((rng, { count }) => {
    const length = magnitude(rng, count)
    const name = rng.pick(['same', ''])
    const members = Array.from({ length }, (_, n) => `"${name || n}":1`)
    return { what: `${length} members${name && ' of one name'}`, text: `{${members.join(',')}}` }
  }),
  // A copy of what stands there, so that each item is a valid one.
  copies: (draft, rng, { count }, { example }) => {
    const lists = [...jsonPlaces(example)].filter(({ holder, key }) => {
      const value = (holder as Record<string, unknown>)[key]
      return Array.isArray(value) && value.length > 0
    })
    if (lists.length === 0) return 'nothing'
    const place = rng.pick(lists)
    const [item] = (place.holder as Record<string, unknown[]>)[place.key]!
    const text = JSON.stringify(item)
    const copies = Math.min(magnitude(rng, count), Math.ceil(2 ** 22 / text.length))
    draft.body = Buffer.from(replaceInJson(example, place, repeatItem(copies, text)))
    return `${place.path} has ${copies} copies of its first item`
  },
  space: (draft, rng, { bytes }, { example }) => {
    const size = magnitude(rng, bytes)
    draft.body = Buffer.from(`${rng.pick([' ', '\n', '\t']).repeat(size)}${JSON.stringify(example)}`)
    return `${size} blanks`
  },
  syntax: (draft, rng, _scale, { example }) => {
    const what = rng.pick(Object.keys(syntaxes))
    draft.body = Buffer.from(syntaxes[what]!(JSON.stringify(example), rng) as string)
    return what
  },
  type: (draft, rng) => {
    const type = rng.pick(contentTypes)
    setHeader(draft, 'content-type', ...(type ? [type] : []))
    return `the type ${type.slice(0, 60) || 'is missing'}`
  },
  coding: (draft, rng, { bytes }) => {
    const coding = rng.pick(Object.keys(codings))
    const isBomb = rng.chance(0.3)
    const plain = isBomb ? Buffer.alloc(magnitude(rng, bytes), ' ') : (draft.body ?? Buffer.alloc(0))
    draft.body = rng.chance(0.8) ? codings[coding]!(plain) : plain
    setHeader(draft, 'content-encoding', coding)
    return `${isBomb ? 'a bomb in ' : ''}${coding}`
  },
  none: (draft) => {
    draft.body = null
    return 'no body'
  },
}
