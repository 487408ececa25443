/**
 * Inputs in second worlds: each takes its path, and no output of a call in one world can stand for the call.
 */
import { expect, test } from '@jest/globals'
import type { Program } from '@stateeval/contracts'
import {
  copiedOutput,
  createRng,
  describeTensor,
  buildInput,
  listInputs,
  interpret,
  isTensorLike,
  collectKnownAnswers,
  type Scenario,
  describeType,
  withId,
} from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { runReference } from '../src/filters/observable.ts'
import { defaultOptions, generate } from '../src/index.ts'
import { buildSecondWorlds } from '../src/second-worlds.ts'

const count = process.env['STATEEVAL_LONG'] ? 400 : 8
const each = scenarios.map((scenario) => [scenario.id, scenario] as const)
const programsOf = (scenario: Scenario, secondWorlds: boolean) =>
  [...generate(scenario, { ...defaultOptions, count, seed: 12, secondWorlds })].map(({ program }) => program)

const typeOf = (value: unknown) =>
  isTensorLike(value)
    ? describeTensor(value.$tensor as { dtype: string; shape: number[] })
    : describeType(value)
const typesOf = (variables: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typeOf(value)]))

test.each(each)('programs of %s have one for each path, of the same types', (_, scenario) => {
  for (const program of programsOf(scenario, true)) {
    const { secondWorlds = [], branch } = program
    expect(secondWorlds).toHaveLength(branch ? 2 : 1)
    for (const [n, input] of secondWorlds.entries()) {
      const run = interpret(program, scenario, input)
      expect(run).toMatchObject({ ok: true, branch: branch ? ['then', 'otherwise'][n] : 'none' })
      expect(typesOf(input.variables)).toEqual(typesOf(buildInput(program).variables))
    }
    expect(listInputs(program)).toHaveLength(branch ? 4 : 2)
  }
})

test.each(each)('without them programs of %s are the same, under the same ids', (_, scenario) => {
  const alone = programsOf(scenario, true).map(({ secondWorlds: _second, ...program }) => program)
  expect(alone.map((program) => withId(program))).toEqual(alone)
  // Constants that are measured keep clear of what is right in the other world.
  const form = ({ variables: _variables, id: _id, ...program }: Program) => program
  expect(programsOf(scenario, false).map(form)).toEqual(alone.map(form))
})

/** A program with calls that only read. */
const sessions = scenarios.find(({ id }) => id === 'session-service') as Scenario
const [listing] = programsOf(sessions, true) as [Program]

test('a call whose output shows nowhere has none', () => {
  const { branch: _branch, ...rest } = listing
  const hidden: Program = { ...rest, result: [] }
  const bound = hidden.body.some((step) => step.kind !== 'edit' && step.binds !== undefined)
  expect(bound).toBe(true)
  const read = hidden.body.filter((step) => step.kind === 'http' && step.method === 'GET').slice(0, 1)
  const silent = { ...hidden, body: read }
  expect(buildSecondWorlds(silent, sessions, runReference(silent, sessions), createRng(1))).toBeNull()
  expect(
    buildSecondWorlds({ ...silent, body: [] }, sessions, runReference(silent, sessions), createRng(1)),
  ).toEqual([])
})

test('an output in the first world stands for its call there, and not in the second', () => {
  const facts = collectKnownAnswers(listing, sessions)
  const sites = copiedOutput.sites(listing, facts)
  expect(sites.length).toBeGreaterThan(0)
  const differs = (inputs: readonly ReturnType<typeof buildInput>[], changed: Program) =>
    inputs.some((input) => {
      const [original, other] = [listing, changed].map((program) => interpret(program, sessions, input))
      return JSON.stringify(original) !== JSON.stringify(other)
    })
  const read = sites.filter(({ where }) => /(query|list)Sessions$/.test(where))
  expect(read.length).toBeGreaterThan(0)
  for (const site of read) {
    const changed = site.change(createRng(1))
    const [inFirst, inSecond] = [listInputs(listing).slice(0, 2), listing.secondWorlds ?? []]
    expect([differs(inFirst, changed), differs(inSecond, changed)]).toEqual([false, true])
  }
})
