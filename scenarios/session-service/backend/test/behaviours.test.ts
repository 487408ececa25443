/** behaviours.txt, replayed. */
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type Exchange, replay, Tokens } from './replay.ts'
import { serviceOfTests } from './service.ts'

interface Section {
  title: string
  exchanges: Exchange[]
}

/** Reads one exchange: request line, headers, body, answer. */
function exchangeOf(lines: string[]): Exchange {
  const [line = '', ...rest] = lines
  const [method = '', path = ''] = line.split(' ')
  const headers = rest
    .filter((text) => /^[a-z-]+: /.test(text))
    .map((text) => text.split(': ', 2) as [string, string])
  const body = rest.find((text) => text.startsWith('> '))?.slice(2)
  const [, code = '', answer] = /^< (\d+)(?: (.*))?$/.exec(rest.at(-1) ?? '') ?? []
  const status = Number(code)
  const error = status >= 400 && answer !== '-'
  const statusText = STATUS_CODES[status]
  return {
    method,
    path,
    headers: Object.fromEntries(headers),
    ...(body === undefined
      ? {}
      : { body: body.startsWith('j"') ? (JSON.parse(body.slice(1)) as string) : body }),
    status,
    ...(status === 405 ? { allow: answer } : {}),
    ...(status < 400 && answer ? { answer } : {}),
    ...(error
      ? {
          answer: `{"timestamp":"<timestamp>","status":${status},"error":"${statusText}","path":${JSON.stringify(path.split('?')[0])}}`,
        }
      : {}),
  }
}

function read(): Section[] {
  const sections: Section[] = []
  let lines: string[] = []
  for (const line of readFileSync(join(import.meta.dirname, 'behaviours.txt'), 'utf8').split('\n')) {
    if (line.startsWith('# ')) sections.push({ title: line.slice(2), exchanges: [] })
    else if (sections.length > 0 && line !== '') lines.push(line)
    if (!line.startsWith('< ')) continue
    sections.at(-1)?.exchanges.push(exchangeOf(lines))
    lines = []
  }
  return sections
}

const service = serviceOfTests()

const tokens = new Tokens()
describe('the session service', () => {
  test.each(read())('$title', async ({ exchanges }) => {
    const wrong: Record<string, string[]> = {}
    for (const exchange of exchanges) {
      const differences = await replay(service.port, exchange, tokens)
      if (differences.length > 0)
        wrong[`${exchange.method} ${exchange.path} ${exchange.body ?? ''}`] = differences
    }
    expect(exchanges.length).toBeGreaterThan(5)
    expect(wrong).toEqual({})
  })
})
