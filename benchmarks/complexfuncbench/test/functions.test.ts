/** Our tables of functions against the published ones, where these are at hand. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { getExactParameters } from '../functions/exact.ts'
import { findLivePath } from '../functions/live-paths.ts'
import { getParameterType, parameterTypes } from '../functions/parameter-types.ts'

const folder = join(process.env['STATEEVAL_DATASETS'] ?? '/nowhere', 'complexfuncbench')
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const hasData = existsSync(join(folder, 'function_catalog.json'))
if (!hasData) console.log('skipped: no complexfuncbench in STATEEVAL_DATASETS')
const whenData = hasData ? test : test.skip

whenData('exact parameters and paths are the published ones', () => {
  const exact = read('exact_match_values.json') as Record<string, string[]>
  expect(Object.keys(exact)).toHaveLength(46)
  for (const [name, parameters] of Object.entries(exact)) expect(getExactParameters(name)).toEqual(parameters)
  const urls = read('tool_info.json')['booking-com15'].name_to_url as Record<string, string>
  for (const name of Object.keys(exact)) expect(findLivePath(name)).toBe(new URL(urls[name]!).pathname)
})

whenData('the functions of the samples are known, and their parameters have the 13 types', () => {
  const { functions } = read('function_catalog.json') as {
    functions: { name: string; endpoint: string; parameters: Record<string, unknown> }[]
  }
  for (const { name, endpoint } of functions) {
    expect([name, findLivePath(name)]).toEqual([name, endpoint])
    expect([name, getExactParameters(name)]).toEqual([name, expect.any(Array)])
  }
  const names = new Set(functions.flatMap(({ parameters }) => Object.keys(parameters)))
  const untyped = [...names].filter((name) => getParameterType(name) === null)
  expect(untyped.sort()).toEqual(['price_max', 'price_min', 'radius', 'room_qty', 'cabinClass'].sort())
  expect(new Set([...names].map(getParameterType))).toEqual(new Set([...parameterTypes, null]))
})

test('functions that nobody knows', () => {
  expect([
    getExactParameters('toString'),
    findLivePath('constructor'),
    getParameterType('__proto__'),
  ]).toEqual([null, null, null])
})
