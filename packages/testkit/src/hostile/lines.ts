/** First lines and headers that no honest client sends, and bytes that are no HTTP. */
import type { RandomSource } from '@stateeval/program'
import { wrongTexts } from '../nonsense.ts'
import { magnitude, type RequestDraft, setHeader, type RequestSpoiler } from './draft.ts'

const targets: Readonly<Record<string, (target: string, rng: RandomSource) => string>> = {
  'an absolute URL': (target) => `http://169.254.169.254${target}`,
  'two slashes': (target) => `/${target}`,
  'a step up': (target) => `/v1/..${target}`,
  'an encoded step up': (target) => `/%2e%2e%2f%2e%2e${target}`,
  'a NUL': (target) => `${target}%00`,
  'a slash at the end': (target) => `${target}/`,
  'a backslash': (target) => target.replace('/', '\\'),
  'a matrix parameter': (target) => `${target};a=b`,
  'a fragment': (target) => `${target}#a`,
  'upper case': (target) => target.toUpperCase(),
  'half an escape': (target) => `${target}%`,
  'bytes of Latin-1': (target) => `${target}/äöü`,
  'a star': () => '*',
  nothing: () => '',
  'a space': (target) => `${target} a`,
  'a long path': (target, rng) => `${target}/${'a/'.repeat(magnitude(rng, 40_000))}`,
}
const queries: Readonly<Record<string, (name: string, rng: RandomSource, count: number) => string>> = {
  'said often': (name, rng, count) => `${name}=1&`.repeat(Math.min(magnitude(rng, count), 4000)),
  'in brackets': (name) => `${name}[]=1&${name}[a][b]=2`,
  'of a prototype': () => '__proto__[polluted]=1&constructor.prototype.a=1',
  'without a value': (name) => `${name}&=&==&&`,
  'half an escape': (name) => `${name}=%E0%A4%A`,
  'many names': (_name, rng, count) =>
    Array.from({ length: Math.min(magnitude(rng, count), 1500) }, (_, n) => `q${n}=1`).join('&'),
}
/** Each adds to the headers, or changes what frames the body. */
const headers: Readonly<Record<string, (draft: RequestDraft, rng: RandomSource) => void>> = {
  'no host': (draft) => setHeader(draft, 'host'),
  'two hosts': (draft) => setHeader(draft, 'host', 'a', 'b'),
  'two lengths': (draft) => frame(draft, ['content-length', '1'], ['content-length', '2']),
  'a negative length': (draft) => frame(draft, ['content-length', '-1']),
  'a length that is no number': (draft) => frame(draft, ['content-length', '0x10']),
  'a length beyond all numbers': (draft) => frame(draft, ['content-length', '9'.repeat(30)]),
  'a length and chunks': (draft) => frame(draft, ['content-length', '4'], ['transfer-encoding', 'chunked']),
  'an unknown transfer': (draft) => frame(draft, ['transfer-encoding', 'gzip']),
  'chunks that are none': (draft) => {
    frame(draft, ['transfer-encoding', 'chunked'])
    draft.body = Buffer.from('xyz\r\n{}\r\n')
  },
  'many small chunks': (draft, rng) => {
    const { isUnfinished } = draft
    const bytes = draft.body ?? Buffer.from('{}')
    frame(draft, ['transfer-encoding', 'chunked'])
    const size = rng.int(1, 20)
    const chunks: string[] = []
    for (let at = 0; at < Math.min(bytes.length, 50_000); at += size) {
      const piece = bytes.subarray(at, at + size).toString('latin1')
      chunks.push(`${piece.length.toString(16)};a=${'b'.repeat(rng.int(0, 9))}\r\n${piece}\r\n`)
    }
    draft.body = Buffer.from(`${chunks.join('')}0\r\nX-Trailer: a\r\n\r\n`, 'latin1')
    draft.isUnfinished = isUnfinished
  },
  'one large header': (draft, rng) => add(draft, 'x-large', 'a'.repeat(magnitude(rng, 100_000))),
  'many headers': (draft, rng) => {
    for (let n = magnitude(rng, 5000); n > 0; n--) add(draft, `x-${n}`, '1')
  },
  'a folded header': (draft) => add(draft, 'x-folded', 'a\r\n b'),
  'a name with a space': (draft) => add(draft, 'x folded ', 'a'),
  'bytes of control': (draft) => add(draft, 'x-bytes', 'a\u0001\u007fb'),
  'an odd key': (draft, rng) =>
    add(draft, 'idempotency-key', rng.pick(['', ' ', 'a b', 'ä', 'x'.repeat(201), '../..', '\u00ff'])),
  'a key said twice': (draft) => {
    add(draft, 'idempotency-key', 'a')
    add(draft, 'idempotency-key', 'b')
  },
  'odd types accepted': (draft, rng) =>
    setHeader(
      draft,
      'accept',
      rng.pick(['image/png', ';;;', '*/*;q=0', ',,,', `${'a/b,'.repeat(2000)}c/d`, 'text/*']),
    ),
  'an odd request id': (draft, rng) =>
    add(draft, 'x-request-id', rng.pick(['', 'a b', '<script>', 'x'.repeat(5000)])),
  'an odd trace': (draft, rng) =>
    add(
      draft,
      'traceparent',
      rng.pick(['', '00-0-0-00', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, 'ff-a-b-c']),
    ),
  'a range': (draft) => add(draft, 'range', 'bytes=9-1,0-0,-1'),
  'odd tags': (draft, rng) =>
    add(draft, 'if-none-match', rng.pick(['*', '"', 'W/"', `${'"a",'.repeat(2000)}"b"`])),
  'an expectation': (draft, rng) => add(draft, 'expect', rng.pick(['100-continue', 'nonsense'])),
  'an upgrade': (draft, rng) => {
    setHeader(draft, 'connection', 'upgrade')
    // What follows such a request need not be HTTP.
    draft.isAlone = true
    add(draft, 'upgrade', rng.pick(['websocket', 'h2c', 'TLS/1.0']))
  },
  'another method meant': (draft) => add(draft, 'x-http-method-override', 'DELETE'),
  credentials: (draft, rng) =>
    add(
      draft,
      'authorization',
      rng.pick(['', 'Bearer', 'Basic YTpi', `Bearer ${'a'.repeat(9000)}`, 'Bearer a.b.c']),
    ),
}
const methods = ['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'get', 'PROPFIND', 'PRI', 'X'.repeat(300)]
const noHttp: Readonly<Record<string, (rng: RandomSource) => Buffer>> = {
  'random bytes': (rng) => Buffer.from(Array.from({ length: rng.int(1, 3000) }, () => rng.int(0, 255))),
  'the beginning of TLS': () => Buffer.from('16030100a5010000a10303', 'hex'),
  'the preface of HTTP/2': () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'HTTP/0.9': () => Buffer.from('GET /\r\n'),
  'lines without returns': () => Buffer.from('GET /none HTTP/1.1\nhost: a\n\n'),
  'empty lines': (rng) => Buffer.from('\r\n'.repeat(magnitude(rng, 20_000))),
}

/** For every operation. */
export const lineSpoilers: Readonly<Record<string, RequestSpoiler>> = {
  path: (draft, rng) => {
    const what = rng.pick(Object.keys(targets))
    draft.target = targets[what]!(draft.target, rng)
    draft.isElsewhere = true
    return what
  },
  place: (draft, rng, _scale, { path }) => {
    const text = rng.pick(wrongTexts)
    draft.target = path.replaceAll(/\{\w+\}/g, text)
    // A text with a slash or dots leads elsewhere.
    draft.isElsewhere = true
    return `its places are ${text.slice(0, 40)}`
  },
  query: (draft, rng, { count }, { query }) => {
    const name = rng.pick([...query, 'unknown'])
    const what = rng.pick([...Object.keys(queries), ...wrongTexts])
    draft.target += `?${Object.hasOwn(queries, what) ? queries[what]!(name, rng, count) : `${name}=${what}`}`
    return `the query ${name} is ${what.slice(0, 40)}`
  },
  header: (draft, rng) => {
    const what = rng.pick(Object.keys(headers))
    headers[what]!(draft, rng)
    return what
  },
  method: (draft, rng) => {
    draft.method = rng.pick(methods)
    draft.isElsewhere = true
    // A tunnel is refused by closing the connection.
    draft.isUnfinished ||= draft.method === 'CONNECT'
    return `the method ${draft.method.slice(0, 20)}`
  },
  version: (draft, rng) => {
    draft.version = rng.pick(['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9', 'http/1.1', ''])
    return draft.version
  },
  bytes: (draft, rng) => {
    const what = rng.pick(Object.keys(noHttp))
    draft.raw = noHttp[what]!(rng)
    draft.isElsewhere = true
    draft.isUnfinished = true
    return what
  },
}

function add(draft: RequestDraft, name: string, value: string): void {
  draft.headers.push([name, value])
}
/** These say where the body ends, in place of its length. */
function frame(draft: RequestDraft, ...framing: [string, string][]): void {
  draft.headers.push(...framing)
  draft.isFramed = true
  draft.isUnfinished = true
}
