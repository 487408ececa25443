/** ToolACE's answers, rule by rule, and compared with Python's own `ast` where python3 is installed. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readReleased } from '../answer/released.ts'
import { readWhole } from '../python/read.ts'
import { formatPyJson } from '../python/value.ts'
import { answers, values } from './toolace-rows.ts'
import { toolaceText } from './toolace-texts.ts'

/** 20,000 random texts with STATEEVAL_LONG=1. */
const count = process.env['STATEEVAL_LONG'] === '1' ? 20_000 : 400

const asRead = (json: string) => formatPyJson(readWhole(json))
/** What the parser reads, as JSON; null for an error. */
function readingOf(text: string): string | null {
  const { elements, error } = readReleased(text, 'toolace')
  return error === undefined ? asRead(formatPyJson(elements)) : null
}
const rows = [
  ...answers,
  ...values.map(([python, json]) => [
    `[f(a=${python})]`,
    json && `[{"name": "f", "arguments": {"a": ${json}}}]`,
  ]),
] as [string, string | null][]

test.each(rows)('%j is %s', (text, json) => {
  expect(readingOf(text)).toBe(json && asRead(json))
})

const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info[:2] < (3, 11))']).status === 0
;(hasPython ? test : test.skip)('the rows and random texts are read as by Python’s own parser', () => {
  const random = Array.from({ length: count }, (_, at) => toolaceText(`toolace ${at}`))
  const texts = [...rows.map(([text]) => text), ...random]
  const { stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'toolace.py')], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  expect(stderr).toBe('')
  const expected = JSON.parse(stdout) as (string | null)[]
  const wrong = texts.flatMap((text, at) => {
    const python = expected[at]! && asRead(expected[at])
    const actual = readingOf(text)
    return actual === python ? [] : [{ text, python, found: actual }]
  })
  expect(wrong.slice(0, 20)).toEqual([])
  // Enough of the texts are no errors.
  expect(expected.filter((one) => one !== null).length).toBeGreaterThan(texts.length / 8)
})
