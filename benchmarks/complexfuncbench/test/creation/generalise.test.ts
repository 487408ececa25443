/**
 * Generalised samples: by seed, six to ten new values, the path replays, and wrong calls are caught by the
 * state that they leave.
 */
import { beforeAll, describe, expect, test } from '@jest/globals'
import { toJson, canonicalJson } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { completeLimits } from '@stateeval/sandbox'
import { createWorld } from '../../backend/index.ts'
import { derive } from '../../creation/derive.ts'
import { createSample } from '../../creation/generalise.ts'
import { formatSampleLine, type CreatedSample } from '../../creation/sample.ts'
import { type MadeSample, makeSamples } from '../../creation/samples.ts'
import type { SampleTemplate } from '../../creation/template.ts'
import { templates } from '../../creation/templates/index.ts'
import { walk } from '../../creation/walk.ts'
import { judgeWorldState, type WorldLeaves } from '../../live/judge.ts'
import { mutateCall } from '../live/mutate-call.ts'

const count = 100
const mutants = 200
let all: MadeSample[]
beforeAll(() => {
  all = makeSamples({ samples: count, seed: 7 })
})

describe('templates', () => {
  test('there are ten or more, over all five domains', () => {
    expect(templates.length).toBeGreaterThanOrEqual(10)
    expect([...new Set(templates.map(({ domain }) => domain))].sort()).toEqual([
      'Attraction',
      'Car-Rental',
      'Cross',
      'Flights',
      'Hotels',
    ])
  })
  test.each(templates.map((template) => [template.id, template] as const))(
    '%s: its own values give a sample whose arguments all follow',
    (id, template) => {
      expect(Object.keys(template.slots).length).toBeGreaterThanOrEqual(6)
      const outcome = createSample(template, { id, seed: 'template', values: template.values })
      expect(outcome).toHaveProperty('sample')
      if (!('sample' in outcome)) return
      expect(outcome.sample.query).not.toMatch(/[{}]/)
      expect(outcome.sample.answer).not.toMatch(/[{}]|undefined/)
    },
  )
})

const ownSamples = new Map<string, CreatedSample>()
/** The sample that a template's own values give. */
function ownSample(template: SampleTemplate): CreatedSample {
  const { id, values } = template
  const outcome = ownSamples.get(id) ?? createSample(template, { id, seed: 'template', values })
  if ('fault' in outcome) throw new Error(outcome.fault)
  const sample = 'sample' in outcome ? outcome.sample : outcome
  ownSamples.set(id, sample)
  return sample
}

describe(`${count} generalised samples`, () => {
  test('the same seed makes the same bytes, another seed others', () => {
    const lines = (seed: number) =>
      makeSamples({ samples: 8, seed }).map(({ sample }) => formatSampleLine(sample))
    expect(lines(3)).toEqual(lines(3))
    expect(lines(3)).not.toEqual(lines(4))
  })
  test('six to ten values are new; criteria and functions are the template’s', () => {
    for (const { sample, template, replaced, values } of all) {
      expect(replaced.length).toBeGreaterThanOrEqual(6)
      expect(replaced.length).toBeLessThanOrEqual(10)
      for (const name of replaced) expect(values[name]).not.toEqual(template.values[name])
      const original = ownSample(template)
      const names = (turns: typeof sample.turns) => turns.map(({ calls }) => calls.map(({ name }) => name))
      expect(names(sample.turns)).toEqual(names(original.turns))
      const criteria = (turns: typeof sample.turns) =>
        turns.flatMap(({ calls }) =>
          calls.flatMap(({ arguments: args }) =>
            ['sort', 'sortBy', 'sort_by', 'categories_filter', 'sort_option_id'].flatMap(
              (key) => args[key] ?? [],
            ),
          ),
        )
      expect(criteria(sample.turns)).toEqual(criteria(original.turns))
    }
  })
  test('their golden paths replay in the world of tool sessions, byte for byte', async () => {
    const world = createWorld()
    for (const { sample } of all) {
      const open = await world.open(toJson(sample.world), completeLimits(), '0'.repeat(32))
      for (const { calls, responses } of sample.turns)
        for (const [at, { name, arguments: args }] of calls.entries()) {
          const { content, error } = await open.call!(name, args)
          expect({ name, error }).toEqual({ name, error: undefined })
          expect(content).toBe(JSON.stringify(responses[at]))
        }
      const { state } = (await open.observe()).world
      expect(judgeWorldState(sample.left, state as WorldLeaves)).toMatchObject({
        passed: true,
        differences: [],
      })
      await open.close()
    }
  })
  test('every golden argument has a derivation, and what it names is there', () => {
    for (const { sample } of all) {
      const derived = derive(sample.query, sample.turns)
      expect(derived).toEqual({ derivations: sample.derivations })
      const leaves = sample.turns.flatMap(({ calls }) =>
        calls.flatMap(({ arguments: args }) => leavesIn(args)),
      )
      expect(sample.derivations).toHaveLength(leaves.length)
    }
  })
  test('places that are looked up have one entry each: rivals are dropped', () => {
    for (const { sample } of all)
      for (const { argument, from } of sample.derivations)
        if (from.in === 'response' && /dest_id|fromId|toId|place_id$|latitude/.test(argument)) {
          const { data } = sample.turns[from.turn]!.responses[from.call]! as { data: unknown }
          expect({ argument, data }).toMatchObject({ data: [expect.anything()] })
        }
  })
  test('functions that overlap with the path’s are not offered', () => {
    for (const { sample } of all) {
      const used = new Set(sample.turns.flatMap(({ calls }) => calls.map(({ name }) => name)))
      expect(sample.functions).toEqual(expect.arrayContaining([...used]))
      if (used.has('Location_to_Lat_Long') && !used.has('Search_Hotel_Destination'))
        expect(sample.functions).not.toContain('Search_Hotel_Destination')
      if (used.has('Search_Flights')) expect(sample.functions).not.toContain('Search_Flights_Multi_Stops')
    }
  })
})

test(`of ${mutants} mutants of golden calls, at least 95 % are caught by the state they leave`, () => {
  const survivors: string[] = []
  const reasons = new Set<string>()
  for (let at = 0; at < mutants; at++) {
    const { sample, template, values } = all[at % count]!
    const mutant = mutateCall(sample.turns, createRng(`mutant/${at}`))
    const walked = walk(template, values, sample.world, {
      stumbles: true,
      change: (golden, turn, call) =>
        turn === mutant.turn && call === mutant.call ? mutant.becomes : golden,
    })
    if (!judgeWorldState(sample.left, walked.state).passed) continue
    const same = sample.turns.every(({ calls }, turn) =>
      calls.every(
        (golden, call) =>
          (turn === mutant.turn && call === mutant.call) ||
          canonicalJson(golden) === canonicalJson(walked.turns[turn]?.calls[call] ?? null),
      ),
    )
    const reason = same ? 'its answer leads to the same later calls' : 'other calls leave the same'
    reasons.add(reason)
    survivors.push(`${template.id}: ${mutant.operator}, ${mutant.site}: ${reason}`)
  }
  if (survivors.length > 0) console.info(`survivors:\n${survivors.join('\n')}`)
  expect(survivors.length).toBeLessThanOrEqual(mutants * 0.05)
  expect([...reasons].filter((reason) => !reason.startsWith('its answer'))).toEqual([])
})

function leavesIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesIn) : [value]
}
