/**
 * Adversarial readers find no second reading that the listed rules don't exclude; and they do find those that
 * are there.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { defaultOptions, generate } from '@stateeval/generate'
import type { Program } from '@stateeval/contracts'
import { buildInput, type Scenario } from '@stateeval/program'
import { listDoubts, readingRules, translate, verify } from '@stateeval/translate'
import { sessionService } from '@stateeval/scenario-session-service'
import { scenarios } from '../index.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const session = sessionService as Scenario
/**
 * Generations of so many programs; all alternatives, also those that a rule excludes, are run for some of
 * them.
 */
const [generations, count, counted] = long ? [20, 500, 25] : [1, 30, 3]

test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  '%s: no alternative that the rules leave open ends otherwise',
  (_, scenario) => {
    const excluded: Record<string, number> = {}
    const open: string[] = []
    let programs = 0
    for (let seed = 1; seed <= generations; seed++)
      for (const { program, index } of generate(scenario, { ...defaultOptions, seed, count })) {
        programs++
        const translation = translate({ program, scenario, seed })
        if (translation.status !== 'verified') {
          open.push(`${program.id}: ${translation.reason}`)
          continue
        }
        for (const { kind, rule } of listDoubts(
          program,
          scenario,
          translation.instruction,
          index < counted,
        )) {
          if (rule === null) open.push(`${program.id}: ${kind}`)
          else excluded[`${kind} ${rule}`] = (excluded[`${kind} ${rule}`] ?? 0) + 1
        }
      }
    expect(open).toEqual([])
    expect(programs).toBe(generations * count)
    expect(excluded['another counted']).toBeGreaterThan(0)
    if (long) console.info(scenario.id, `${programs} programs`, excluded)
  },
  long ? 3_600_000 : undefined,
)

test('what is said less explicitly leaves readings open', () => {
  const kinds = new Set<string>()
  for (const { program } of generate(session, { ...defaultOptions, seed: 3, count: long ? 150 : 50 })) {
    const translation = translate({ program, scenario: session, seed: 3 })
    if (translation.status !== 'verified') throw new Error(translation.reason)
    const { instruction } = translation
    const vague = instruction.replaceAll(
      /the ((?:\S+ )?(?:match|session|matches|sessions)) as returned by (the \S+ (?:query|listing)|the query|the listing)/g,
      (_, what: string, call: string) =>
        what === 'matches' || what === 'sessions'
          ? call.replace('the ', what === 'matches' ? 'the matches of the ' : 'the ')
          : `the ${what} of ${call}`,
    )
    if (vague === instruction || !verify({ program, scenario: session, instruction: vague }).verified)
      continue
    const doubts = listDoubts(program, session, vague)
    expect(doubts).not.toEqual([])
    for (const { kind } of doubts) kinds.add(kind)
  }
  expect([...kinds].sort()).toEqual(expect.arrayContaining(['present']))
})

test('a copy that was edited, and the same item elsewhere, are told apart', () => {
  const program = generated('copy')
  const doubtKinds = (text: string) => listDoubts(program, session, text).map(({ kind }) => kind)
  const start =
    'List the sessions with the source and type of `user_variable_0`. Query the sessions that share the source, type, and title of `user_variable_0`. Locally set the title of the first session of the listing to "Draft". '
  expect(
    doubtKinds(`${start}Return the title of the first match of the query as \`title\` in RESULT.`),
  ).toEqual(expect.arrayContaining(['copy']))
  expect(
    doubtKinds(
      `${start}Return the title of the first match as returned by the query as \`title\` in RESULT.`,
    ),
  ).toEqual([])
  expect(
    doubtKinds(`${start}Return the title of the first session of the listing as \`title\` in RESULT.`),
  ).toEqual(expect.arrayContaining(['original', 'present']))
  expect(
    doubtKinds(
      `${start}Return the title of your edited copy of the first session of the listing as \`title\` in RESULT.`,
    ),
  ).toEqual([])
})

test('a reading that ends otherwise in a second world only is found, too', () => {
  const program = generated('same')
  const text =
    'List the sessions with the source and type of `user_variable_0`. Update the first listed session with the data of `user_variable_0`. Return the title of the first session of the listing as `title` in RESULT.'
  expect(listDoubts(program, session, text)).toEqual([])
  const secondWorlds = [buildInput({ ...program, world: generated('another').world })]
  expect(listDoubts({ ...program, secondWorlds }, session, text)).toContainEqual(
    expect.objectContaining({ kind: 'present' }),
  )
})

/** A program over one stored session; only its variables and world are looked at. */
const generated = (title: string): Program => {
  const userSession = { source: 'user-1', type: 'main_session', data: { title } }
  return {
    schema: 1,
    id: '',
    scenario: session.id,
    variables: [{ name: 'user_variable_0', role: 'user', values: [userSession] }],
    world: { items: [userSession] },
    body: [],
    result: [],
  }
}

test('documentation and prompt state the same rules', () => {
  const text = readFileSync(new URL('../../docs/translation.md', import.meta.url), 'utf8').replaceAll(
    '\n  ',
    ' ',
  )
  for (const rule of Object.values(readingRules)) expect(text).toContain(`- ${rule}\n`)
})
