/** Samples of one's own, or imported ones, generalised by templates that are learned from them. */
import { expect, test } from '@jest/globals'
import { ProblemError } from '@stateeval/contracts'
import { createRng, runEpisode } from '@stateeval/program'
import { countTokens } from 'gpt-tokenizer'
import { derive } from '../../creation/derive.ts'
import { learnTemplate, type LearnedSample } from '../../creation/learning/learn-template.ts'
import { formatSampleLine } from '../../creation/sample.ts'
import { makeSamples } from '../../creation/samples.ts'
import { templates } from '../../creation/templates/index.ts'
import { complexfuncbench } from '../../index.ts'
import { conversations } from '../../sample/index.ts'
import { ask, openTravel } from '../../travel/world.ts'
import { createSeededSet } from './seeded-set.ts'

const own = makeSamples({ samples: templates.length, seed: 11 }).map(({ sample }) => sample)
const learn = (sample: LearnedSample) =>
  learnTemplate(sample, { seed: 'learn', rng: createRng(`learn/${sample.id}`) })

async function judge(set: ReturnType<typeof createSeededSet>) {
  const benchmark = complexfuncbench({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => set.artifacts[hash]!,
  })
  const verdicts = new Set<string>()
  for (const line of set.lines) {
    const c = benchmark.parse(line)
    const options = { prompting: 'direct' } as const
    const { candidate } = await runEpisode(benchmark.episode, c, options, {
      reply: benchmark.player(c, options)!,
    })
    const { policies = {} } = benchmark.score({ case: c, candidate })
    expect(Object.keys(policies)).toEqual(benchmark.policies)
    for (const [policy, { verdict }] of Object.entries(policies)) verdicts.add(`${policy}: ${verdict}`)
  }
  return [...verdicts]
}
const passed = ['published: success', 'sound: success', 'state: success']

test('every sample of the travel world gives a template with its path', () => {
  for (const [at, { id, query, turns }] of own.entries()) {
    const outcome = learn({ id, domain: templates[at]!.domain, query, turns })
    if ('fault' in outcome) throw new Error(`${id}: ${outcome.fault}`)
    const { template } = outcome
    const names = (rounds: readonly (readonly { name: string }[])[]) =>
      rounds.map((calls) => calls.map(({ name }) => name))
    expect(names(template.turns)).toEqual(names(turns.map(({ calls }) => calls)))
    // Its own values, in its slots, give the query back.
    const filled = template.query.replace(/\{(\w+)\}/g, (_, slot: string) => `<${slot}>`)
    expect(filled).not.toMatch(/[{}]/)
    for (const name of Object.keys(template.slots))
      if (filled.includes(`<${name}>`)) expect(template.values).toHaveProperty(name)
  }
})

test('own samples get other values: each path passes under every policy, and all arguments follow', async () => {
  const generalise = own.map(formatSampleLine).join('\n')
  const set = createSeededSet({ samples: 28, seed: 2, generalise })
  expect(set.lines).toEqual(createSeededSet({ samples: 28, seed: 2, generalise }).lines)
  expect(set.lines).not.toEqual(createSeededSet({ samples: 28, seed: 3, generalise }).lines)
  const queries = set.lines.map((line) => (JSON.parse(line) as { instruction: string }).instruction)
  expect(new Set([...queries, ...own.map(({ query }) => query)]).size).toBe(28 + own.length)
  for (const bytes of Object.values(set.artifacts)) {
    const { conversations: messages } = JSON.parse(new TextDecoder().decode(bytes)) as {
      conversations: { content: unknown; function_call: unknown }[]
    }
    const turns = []
    for (let at = 1; at < messages.length - 1; at += 2)
      turns.push({ calls: messages[at]!.function_call, responses: messages[at + 1]!.content })
    expect(derive(messages[0]!.content as string, turns as never)).not.toHaveProperty('fault')
  }
  expect(await judge(set)).toEqual(passed)
})

test('imported samples are generalised as far as the travel world has their functions; the others are named', async () => {
  const set = createSeededSet({ samples: 12, seed: 5, generalise: conversations })
  expect(await judge(set)).toEqual(passed)
  const { filtered, counts } = set.about
  const unlearned = filtered.filter(({ phase }) => phase === 'learn')
  const learned = new Set(set.lines.map((line) => (JSON.parse(line) as { group: string }).group))
  expect(learned.size).toBeGreaterThanOrEqual(4)
  const unsaid = 'it follows from neither the query nor an earlier answer'
  expect(unlearned.map(({ scenario, reason, count }) => [scenario, reason, count])).toEqual([
    ['Attraction', 'fewer than 3 values of its query can be replaced', 2],
    ['Cross', `Search_Taxi, pick_up_place_id: ${unsaid}`, 1],
    ['Cross', 'the travel world has no parameter direct of Search_Flights', 1],
    ['Flights', `Search_Flights, adults: ${unsaid}`, 1],
    ['Flights', `Search_Flights_Multi_Stops, adults: ${unsaid}`, 1],
    ['Hotels', `Search_Hotels, categories_filter: ${unsaid}`, 1],
    ['Hotels', 'the travel world has no parameter currency_code of Get_Room_List_With_Availability', 1],
  ])
  // All that was tried is kept, or counted with its reason.
  const dropped = filtered.reduce((sum, { count }) => sum + count, 0)
  expect(counts.generated).toBe(counts.kept + dropped)
})

const [flight] = own.filter(({ id }) => id.startsWith('Flights'))
test.each<[string, () => string, RegExp]>([
  ['nothing', () => '\n\n', /there is no sample to generalise/],
  ['no JSON', () => `${formatSampleLine(flight!)}\n{`, /line 2 /],
  [
    'a function that the world does not have',
    () => formatSampleLine(flight!).replaceAll('Search_Flights', 'Find_Flights'),
    /the travel world has no function Find_Flights/,
  ],
  [
    'a query that says none of its values',
    () => {
      const line = JSON.parse(formatSampleLine(flight!)) as { conversations: { content: string }[] }
      line.conversations[0]!.content = 'Find me something nice.'
      return JSON.stringify(line)
    },
    /fewer than 3 values of its query can be replaced/,
  ],
])('%s is refused with the reason', (_, text, says) => {
  expect(() => createSeededSet({ samples: 2, seed: 1, generalise: text() })).toThrow(says)
  expect(() => createSeededSet({ samples: 2, seed: 1, generalise: text() })).toThrow(ProblemError)
})

test('a composition of samples without a domain is refused', () => {
  const generalise = formatSampleLine(flight!)
  expect(() => createSeededSet({ samples: 20, seed: 1, generalise, composition: 'paper' })).toThrow(
    /no sample of Hotels can be generalised/,
  )
})

test('tokens of 500 tokens: paths pass, and a part of one, or the short one, is refused by the world', async () => {
  const set = createSeededSet({ samples: templates.length, seed: 4, argumentTokens: 500 })
  expect(await judge(set)).toEqual(passed)
  let long = 0
  for (const line of set.lines) {
    const { task } = JSON.parse(line) as { task: { turns: { name: string; arguments: string }[][] } }
    for (const { arguments: text } of task.turns.flat())
      for (const value of Object.values(JSON.parse(text) as Record<string, unknown>)) {
        if (typeof value !== 'string' || !value.includes('~')) continue
        long++
        expect(countTokens(value) / 500).toBeGreaterThan(0.9)
        expect(countTokens(value) / 500).toBeLessThan(1.3)
      }
  }
  expect(long).toBeGreaterThan(5)
  const state = openTravel({ seed: 'a', tokenLength: 700 })
  const search = { fromId: 'PAR.CITY', toId: 'ROM.CITY', departDate: '2024-12-05' }
  const { body } = ask(state, 'Search_Flights', search)
  const [, token = ''] = /"token":"([^"]+)"/.exec(JSON.stringify(body)) ?? []
  expect(token).toHaveLength(700)
  const isTaken = (text: string) => ask(state, 'Get_Flight_Details', { token: text }).ok
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  expect([token, token.slice(0, -1), token.split('~')[0]!, other, `${token}A`].map(isTaken)).toEqual([
    ...[true, false, false, false, false],
  ])
})
