/**
 * Against the published catalogue: names, required parameters and types of all functions that occur in it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { findFunction, travelFunctions } from '../../travel/functions.ts'

const folder = join(process.env['STATEEVAL_DATASETS'] ?? '', 'complexfuncbench')
const here = process.env['STATEEVAL_DATASETS'] && existsSync(join(folder, 'function_catalog.json'))
// The published data are not in the repository: set STATEEVAL_DATASETS to the folder that holds them.
const whenHere = here ? describe : describe.skip
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

whenHere('the travel world has the published functions (skipped without STATEEVAL_DATASETS)', () => {
  test('names, required parameters and types', () => {
    const published = read('function_catalog.json').functions as {
      name: string
      parameters: Record<string, { required: boolean; type_inferred: string }>
    }[]
    expect(published).toHaveLength(40)
    for (const { name, parameters } of published) {
      const ours = Object.fromEntries(
        findFunction(name)?.parameters.map((one) => [one.name, { required: one.required, type: one.type }]) ??
          [],
      )
      const theirs = Object.entries(parameters).map(([parameter, { required, type_inferred: type }]) => [
        parameter,
        { required, type },
      ])
      expect({ name, ours }).toEqual({ name, ours: Object.fromEntries(theirs) })
    }
  })
  test('functions that have exact values exist', () => {
    const exact = Object.keys(read('exact_match_values.json'))
    const names = travelFunctions.map(({ name }) => name)
    expect(exact.filter((name) => !names.includes(name))).toEqual([])
  })
  test('descriptions are our own', () => {
    const published = read('function_catalog.json').functions as { description: string }[]
    const texts = new Set(published.map(({ description }) => description.trim()))
    expect(travelFunctions.filter(({ about }) => texts.has(about))).toEqual([])
  })
})
