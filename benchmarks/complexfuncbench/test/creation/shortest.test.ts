/** Written samples are the shortest path, however many rounds and needless calls a model made. */
import { describe, expect, test } from '@jest/globals'
import { canonicalJson } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import fc from 'fast-check'
import { createSample } from '../../creation/generalise.ts'
import type { GoldenCall, CreatedSample } from '../../creation/sample.ts'
import { templates } from '../../creation/templates/index.ts'
import { checkWritten } from '../../creation/writing/check.ts'

const own = templates.map((template) => {
  const outcome = createSample(template, { id: template.id, seed: 'template', values: template.values })
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome.sample
})
const pathOf = ({ turns }: Pick<CreatedSample, 'turns'>) => turns.map(({ calls }) => calls)
const sorted = (rounds: readonly (readonly GoldenCall[])[]) =>
  rounds.map((calls) => calls.map((call) => canonicalJson(call)).sort())

function written(sample: CreatedSample, calls: readonly (readonly GoldenCall[])[]) {
  const { id, query, answer, world } = sample
  const outcome = checkWritten({ id, query, calls, answer, world: { ...world, hidden: [] } }, { steps: 1 })
  if ('fault' in outcome) throw new Error(`${id}: ${outcome.fault}`)
  return outcome.sample
}

describe.each(own.map((sample) => [sample.id, sample] as const))('%s', (_, sample) => {
  const together = written(sample, pathOf(sample))
  test('its own path stays, and no path of its calls is shorter', () => {
    expect(together.turns.flatMap(({ calls }) => calls)).toHaveLength(pathOf(sample).flat().length)
    expect(together.turns.length).toBeLessThanOrEqual(sample.turns.length)
  })
  test('one call a round gives the same path: independent calls are merged', () => {
    const alone = written(
      sample,
      pathOf(sample)
        .flat()
        .map((call) => [call]),
    )
    expect(sorted(pathOf(alone))).toEqual(sorted(pathOf(together)))
  })
  test('calls that nobody asked for go', () => {
    const needless: GoldenCall[] = [
      { name: 'Get_Languages', arguments: {} },
      { name: 'Get_Currency', arguments: {} },
      { name: 'Search_Flight_Location', arguments: { query: 'Oslo' } },
    ]
    const more = written(sample, [
      ...pathOf(sample)
        .flat()
        .map((call) => [call]),
      ...needless.map((call) => [call]),
    ])
    expect(sorted(pathOf(more))).toEqual(sorted(pathOf(together)))
  })
})

test('whatever rounds the calls were made in, the path is the same', () => {
  fc.assert(
    fc.property(fc.constantFrom(...own), fc.nat(), (sample, seed) => {
      const rng = createRng(seed)
      // Each round of the template's path is split somewhere, and its calls are exchanged.
      const calls = pathOf(sample).flatMap((round, at) => {
        const mixed = rng.fork(at).sample(round, round.length)
        const end = rng.fork(`cut ${at}`).int(0, mixed.length)
        return [mixed.slice(0, end), mixed.slice(end)].filter((part) => part.length > 0)
      })
      expect(sorted(pathOf(written(sample, calls)))).toEqual(sorted(pathOf(written(sample, pathOf(sample)))))
    }),
    { numRuns: 40, seed: 15 },
  )
})

test('of a search and one that refines it, the one stays whose answer is used', () => {
  const sample = own.find(({ id }) => id === 'Hotels-4')!
  const path = pathOf(sample)
  const search = path[1]![0]!
  const { sort_by: _, ...plain } = search.arguments
  const more = written(sample, [path[0]!, [{ name: search.name, arguments: plain }], ...path.slice(1)])
  const names = (rounds: readonly (readonly GoldenCall[])[]) =>
    rounds.map((calls) => calls.map(({ name }) => name))
  expect(names(pathOf(more))).toEqual(names(path))
})
