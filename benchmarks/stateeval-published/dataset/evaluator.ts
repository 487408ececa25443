/** Reads one `evaluator_<n>.json`: what is wrong is told with the field. */
import { isRecord, type JsonValue, findSchemaFault } from '@stateeval/contracts'
import { type ScenarioName, scenarios, Session, type Test } from '../case.ts'
import { distinct } from './duplicates.ts'
import { bad, LeftOut, type Place, within } from './problem.ts'
import { type Files, isEncoded, tensorAt } from './tensors.ts'

type Fields = Record<string, unknown>

const record = (value: unknown, place: Place): Fields =>
  isRecord(value) ? value : bad(place, 'must be an object')
const text = (value: unknown, place: Place): string =>
  typeof value === 'string' ? value : bad(place, 'must be a text')
const list = (value: unknown, place: Place): unknown[] =>
  Array.isArray(value) ? value : bad(place, 'must be a list')

export interface Evaluator {
  scenario: ScenarioName
  tests: Test[]
}

/** @param files takes the tensors that are stored beside the case. */
export function readEvaluator(value: unknown, place: Place, files: Files): Evaluator {
  const at = within(place, 'test_cases')
  const cases = list(record(value, place)['test_cases'], at)
  if (cases.length < 1 || cases.length > 2) bad(at, `has ${cases.length} entries; a case has one or two`)
  const all = cases.map((one, n) => readTest(record(one, within(at, n)), within(at, n), files))
  const [{ scenario }] = all as [(typeof all)[number]]
  if (all.some((one) => one.scenario !== scenario)) bad(at, 'are of different scenarios')
  return { scenario, tests: all.map(({ test }) => test) }
}

/** Sessions alone have predicted items, tensors alone no state. */
function scenarioOf(state: unknown, implicit: unknown): ScenarioName {
  if (state === null || state === undefined) return implicit ? 'session' : 'tensor'
  return Array.isArray(state) ? 'voice' : 'session'
}

function readTest(fields: Fields, place: Place, files: Files): { scenario: ScenarioName; test: Test } {
  const infoAt = within(place, 'program_info')
  const info = record(fields['program_info'], infoAt)
  const scenario = scenarioOf(fields['state_oracle'], info['init_implicit_dict'])
  const program = text(fields['program'], within(place, 'program'))
  if (program.trim() === '') bad(within(place, 'program'), 'is empty')
  if (!Object.hasOwn(fields, 'result')) bad(within(place, 'result'), 'is missing')
  return {
    scenario,
    test: {
      init: text(info['init_local_str'] ?? '', within(infoAt, 'init_local_str')),
      load: loads(info['init_load_info'], scenario, within(infoAt, 'init_load_info'), files),
      items:
        scenario === 'session'
          ? initialSessions(info['init_implicit_dict'] ?? {}, within(infoAt, 'init_implicit_dict'))
          : [],
      program,
      result: resultOf(fields['result'] as JsonValue, scenario, within(place, 'result'), files),
      state: stateOf(fields['state_oracle'], scenario, within(place, 'state_oracle')),
    },
  }
}

/** The pairs of preloaded variables, by name: tensors, or speeches. */
function loads(
  value: unknown,
  scenario: ScenarioName,
  place: Place,
  files: Files,
): Record<string, JsonValue> {
  if (value === null || value === undefined) return {}
  const pairs = list(value, place).map((pair, n): [string, JsonValue] => {
    const at = within(place, n)
    const [name, content, ...more] = list(pair, at)
    if (more.length > 0 || content === undefined) bad(at, 'must be a pair of name and value')
    const variable = text(name, within(at, 0))
    if (!/^[A-Za-z_]\w{0,99}$/.test(variable)) bad(within(at, 0), 'is not the name of a variable')
    const valueAt = within(at, 1)
    if (scenario === 'tensor') return [variable, tensorAt(content, valueAt, files)]
    return [variable, scenario === 'voice' ? speechAt(content, valueAt) : (content as JsonValue)]
  })
  return Object.fromEntries(pairs)
}

const speechTexts = ['text', 'voice_name'] as const
const speechNumbers = ['stability', 'similarity_boost', 'style', 'duration'] as const

function speechAt(value: unknown, place: Place): JsonValue {
  const speech = record(value, place)
  if (speech['is_speech'] !== true)
    bad(within(place, 'is_speech'), 'must be true: it is a speech that is preloaded')
  for (const name of speechTexts)
    if (typeof speech[name] !== 'string' && !(name === 'voice_name' && speech[name] === null))
      bad(within(place, name), 'must be a text')
  for (const name of speechNumbers)
    if (speech[name] !== null && typeof speech[name] !== 'number')
      bad(within(place, name), 'must be a number or null')
  list(speech['transitions'], within(place, 'transitions'))
  return value as JsonValue
}

function sessionAt(value: unknown, place: Place): Session {
  const { source, type, data } = record(value, place)
  const session = { source, type, data: data ?? {} }
  const fault = findSchemaFault(Session, session)
  if (fault) bad(within(place, ...fault.field.split('/').filter(Boolean)), fault.says)
  return session as Session
}

/** In the order of the file. Equal items are kept once by the service, and so they are here. */
const initialSessions = (value: unknown, place: Place): Session[] =>
  distinct(Object.entries(record(value, place)).map(([id, item]) => sessionAt(item, within(place, id))))

function stateOf(value: unknown, scenario: ScenarioName, place: Place): Test['state'] {
  if (scenario === 'tensor') return null
  if (scenario === 'voice')
    return list(value, place).map((pair, n) => {
      const at = within(place, n)
      const [speech, voice = null] = list(pair, at) as [JsonValue, JsonValue?]
      return { speech: speechAt(speech, within(at, 0)), voice }
    })
  // Null: nothing was left in any pair.
  return Object.entries(record(value ?? {}, place)).flatMap(([pair, sessions]) => {
    const at = within(place, pair)
    const [source, type, ...more] = pair.split('||')
    if (type === undefined || more.length > 0) bad(at, 'is not named source||type')
    return list(sessions, at).map((one, n) => {
      const session = record(one, within(at, n))
      return sessionAt({ ...session, source, type }, within(at, n))
    })
  })
}

function resultOf(value: JsonValue, scenario: ScenarioName, place: Place, files: Files): JsonValue {
  if (scenario !== 'tensor') return value
  if (value === null)
    throw new LeftOut(
      place,
      'no RESULT',
      'is null, which the released evaluator cannot load either: the case is left out',
      scenarios.tensor,
    )
  return Array.isArray(value) || isEncoded(value)
    ? tensorAt(value, place, files)
    : typeof value === 'number'
      ? value
      : bad(place, 'must be a number, a list or a tensor')
}
