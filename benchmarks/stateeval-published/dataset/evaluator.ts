/** Reads one `evaluator_<n>.json`: faults are reported with the field. */
import { isRecord, type JsonValue, findSchemaFault } from '@stateeval/contracts'
import { type ScenarioName, scenarios, CaseSession, type ProgramTest } from '../case.ts'
import { removeDuplicates } from './duplicates.ts'
import { rejectPlace, LeftOut, type ReadingPlace, extendPlace } from './problem.ts'
import { type TensorFiles, isEncoded, readTensor } from './tensors.ts'

type EvaluatorFields = Record<string, unknown>

const record = (value: unknown, place: ReadingPlace): EvaluatorFields =>
  isRecord(value) ? value : rejectPlace(place, 'must be an object')
const requireTextField = (value: unknown, place: ReadingPlace): string =>
  typeof value === 'string' ? value : rejectPlace(place, 'must be a text')
const list = (value: unknown, place: ReadingPlace): unknown[] =>
  Array.isArray(value) ? value : rejectPlace(place, 'must be a list')

interface EvaluatorFile {
  scenario: ScenarioName
  tests: ProgramTest[]
}

/** @param files takes the tensors that are stored beside the case. */
export function readEvaluator(value: unknown, place: ReadingPlace, files: TensorFiles): EvaluatorFile {
  const at = extendPlace(place, 'test_cases')
  const cases = list(record(value, place)['test_cases'], at)
  if (cases.length < 1 || cases.length > 2)
    rejectPlace(at, `has ${cases.length} entries; a case has one or two`)
  const all = cases.map((one, n) => readTest(record(one, extendPlace(at, n)), extendPlace(at, n), files))
  const [{ scenario }] = all as [(typeof all)[number]]
  if (all.some((one) => one.scenario !== scenario)) rejectPlace(at, 'are of different scenarios')
  return { scenario, tests: all.map(({ test }) => test) }
}

/** Sessions alone have predicted items, tensors alone no state. */
function detectScenario(state: unknown, implicit: unknown): ScenarioName {
  if (state === null || state === undefined) return implicit ? 'session' : 'tensor'
  return Array.isArray(state) ? 'voice' : 'session'
}

function readTest(
  fields: EvaluatorFields,
  place: ReadingPlace,
  files: TensorFiles,
): { scenario: ScenarioName; test: ProgramTest } {
  const infoAt = extendPlace(place, 'program_info')
  const info = record(fields['program_info'], infoAt)
  const scenario = detectScenario(fields['state_oracle'], info['init_implicit_dict'])
  const program = requireTextField(fields['program'], extendPlace(place, 'program'))
  if (program.trim() === '') rejectPlace(extendPlace(place, 'program'), 'is empty')
  if (!Object.hasOwn(fields, 'result')) rejectPlace(extendPlace(place, 'result'), 'is missing')
  return {
    scenario,
    test: {
      init: requireTextField(info['init_local_str'] ?? '', extendPlace(infoAt, 'init_local_str')),
      load: readLoads(info['init_load_info'], scenario, extendPlace(infoAt, 'init_load_info'), files),
      items:
        scenario === 'session'
          ? readInitialSessions(info['init_implicit_dict'] ?? {}, extendPlace(infoAt, 'init_implicit_dict'))
          : [],
      program,
      result: readResultValue(fields['result'] as JsonValue, scenario, extendPlace(place, 'result'), files),
      state: readState(fields['state_oracle'], scenario, extendPlace(place, 'state_oracle')),
    },
  }
}

/** The pairs of preloaded variables, by name: tensors, or speeches. */
function readLoads(
  value: unknown,
  scenario: ScenarioName,
  place: ReadingPlace,
  files: TensorFiles,
): Record<string, JsonValue> {
  if (value === null || value === undefined) return {}
  const pairs = list(value, place).map((pair, n): [string, JsonValue] => {
    const at = extendPlace(place, n)
    const [name, content, ...more] = list(pair, at)
    if (more.length > 0 || content === undefined) rejectPlace(at, 'must be a pair of name and value')
    const variable = requireTextField(name, extendPlace(at, 0))
    if (!/^[A-Za-z_]\w{0,99}$/.test(variable))
      rejectPlace(extendPlace(at, 0), 'is not the name of a variable')
    const valueAt = extendPlace(at, 1)
    if (scenario === 'tensor') return [variable, readTensor(content, valueAt, files)]
    return [variable, scenario === 'voice' ? readSpeech(content, valueAt) : (content as JsonValue)]
  })
  return Object.fromEntries(pairs)
}

const speechTexts = ['text', 'voice_name'] as const
const speechNumbers = ['stability', 'similarity_boost', 'style', 'duration'] as const

function readSpeech(value: unknown, place: ReadingPlace): JsonValue {
  const speech = record(value, place)
  if (speech['is_speech'] !== true)
    rejectPlace(extendPlace(place, 'is_speech'), 'must be true: it is a speech that is preloaded')
  for (const name of speechTexts)
    if (typeof speech[name] !== 'string' && !(name === 'voice_name' && speech[name] === null))
      rejectPlace(extendPlace(place, name), 'must be a text')
  for (const name of speechNumbers)
    if (speech[name] !== null && typeof speech[name] !== 'number')
      rejectPlace(extendPlace(place, name), 'must be a number or null')
  list(speech['transitions'], extendPlace(place, 'transitions'))
  return value as JsonValue
}

function readSession(value: unknown, place: ReadingPlace): CaseSession {
  const { source, type, data } = record(value, place)
  const session = { source, type, data: data ?? {} }
  const fault = findSchemaFault(CaseSession, session)
  if (fault) rejectPlace(extendPlace(place, ...fault.field.split('/').filter(Boolean)), fault.says)
  return session as CaseSession
}

/** In the order of the file. Equal items are kept once by the service, and so they are here. */
const readInitialSessions = (value: unknown, place: ReadingPlace): CaseSession[] =>
  removeDuplicates(
    Object.entries(record(value, place)).map(([id, item]) => readSession(item, extendPlace(place, id))),
  )

function readState(value: unknown, scenario: ScenarioName, place: ReadingPlace): ProgramTest['state'] {
  if (scenario === 'tensor') return null
  if (scenario === 'voice')
    return list(value, place).map((pair, n) => {
      const at = extendPlace(place, n)
      const [speech, voice = null] = list(pair, at) as [JsonValue, JsonValue?]
      return { speech: readSpeech(speech, extendPlace(at, 0)), voice }
    })
  // Null: nothing was left in any pair.
  return Object.entries(record(value ?? {}, place)).flatMap(([pair, sessions]) => {
    const at = extendPlace(place, pair)
    const [source, type, ...more] = pair.split('||')
    if (type === undefined || more.length > 0) rejectPlace(at, 'is not named source||type')
    return list(sessions, at).map((one, n) => {
      const session = record(one, extendPlace(at, n))
      return readSession({ ...session, source, type }, extendPlace(at, n))
    })
  })
}

function readResultValue(
  value: JsonValue,
  scenario: ScenarioName,
  place: ReadingPlace,
  files: TensorFiles,
): JsonValue {
  if (scenario !== 'tensor') return value
  if (value === null)
    throw new LeftOut(
      place,
      'no RESULT',
      'is null, which the released evaluator cannot load either: the case is left out',
      scenarios.tensor,
    )
  return Array.isArray(value) || isEncoded(value)
    ? readTensor(value, place, files)
    : typeof value === 'number'
      ? value
      : rejectPlace(place, 'must be a number, a list or a tensor')
}
