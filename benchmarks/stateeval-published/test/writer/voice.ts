/**
 * Programs of elevenlabs-mcp in the published form. The published mock knows other voices and fields than our
 * scenario, so names are translated, and a program that asks for what the mock has not gives null. The truth
 * is the mock's, as `voice-mock.ts` has it.
 */
import type {
  StepBlock,
  Expr,
  ExecutionInput,
  JsonValue,
  Program,
  VariableReference,
  ProgramStep,
} from '@stateeval/contracts'
import { isCall } from '@stateeval/program'
import { library } from '../../run/voice.ts'
import { playMock, createSpeech } from './voice-mock.ts'
import { buildInit, writeProgramText, type WrittenSource, withResults, type WrittenTest } from './write.ts'

/** Fields that the mock's values have, too. */
const fields = new Set([
  'voice_name',
  'category',
  'gender',
  'search_category',
  'search_gender',
  'search_name',
  'text',
])
const makesSpeech = new Set(['text_to_speech', 'speech_to_speech', 'isolate_audio'])

export function writeVoice({ program, inputs }: WrittenSource): WrittenTest[] | null {
  const speeches = new Set(
    program.variables.flatMap(({ name, values }) => (isSpeech(values[0] as JsonValue) ? [name] : [])),
  )
  const resultProgram = withResults(program, (entries) =>
    entries.length > 0 ? entries.map(({ value }) => value) : null,
  )
  const translated = resultProgram && translate(resultProgram, speeches)
  if (!translated) return null
  const text = writeProgramText(translated, (values) =>
    values.length === 1 ? values[0]! : `(${values.join(', ')})`,
  )
  const code = withAttributes(text, translated)
  const tests = inputs.map((input, n) => buildVoiceTest(translated, input, code, speeches, n))
  return tests.every((one) => one !== null) ? tests : null
}

const isSpeech = (value: JsonValue) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && value['modality'] === 'speech'

function buildVoiceTest(
  program: Program,
  input: ExecutionInput,
  code: string,
  speeches: ReadonlySet<string>,
  n: number,
): WrittenTest | null {
  const values = Object.entries(input.variables) as [string, JsonValue][]
  const loads = values
    .filter(([name]) => speeches.has(name))
    .map(([name, value]): [string, JsonValue] => [
      formatLoadName(name),
      createSpeech(String((value as { text: JsonValue }).text)),
    ])
  const locals = values
    .filter(([name]) => !speeches.has(name))
    .map(([name, value]): [string, JsonValue] => [name, convertForMock(value)])
  const run = playMock(program, Object.fromEntries([...loads, ...locals]))
  return (
    run && {
      result: run.result,
      state_oracle: run.calls.map(({ speech, voice }) => [speech, voice]),
      program: code,
      program_info: {
        ...buildInit(locals, program.branch !== undefined && n === 0),
        init_implicit_dict: null,
        end_implict_list: null,
        init_load_str: loads.map(([name]) => `${name}\n`).join(''),
        init_load_info: loads.length > 0 ? loads : null,
      },
    }
  )
}

const formatLoadName = (name: string) => `${name}_load`

const categories = [...new Set(library.map(({ category }) => category))]
/** One of these, always the same for the same text. */
const chooseByText = <T>(text: string, all: readonly T[]): T =>
  all[[...text].reduce((sum, char) => sum + char.charCodeAt(0), 0) % all.length]!

/** Names and categories of our library as some of the mock's: equal ones stay equal. */
function convertForMock(value: JsonValue, key = ''): JsonValue {
  if (typeof value === 'string') {
    if (key === 'voice_name' || key === 'search_name') return chooseByText(value, library).voice_name
    return key === 'category' || key === 'search_category' ? chooseByText(value, categories) : value
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => convertForMock(item))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convertForMock(item, name)]))
}

/** The program in the mock's names; null where it edits, or reads a field that the mock's values lack. */
function translate(program: Program, speeches: ReadonlySet<string>): Program | null {
  let fits = true
  const reference = ({ variable, path }: Pick<VariableReference, 'variable' | 'path'>): VariableReference => {
    if (path.some((key) => typeof key === 'string' && !fields.has(key))) fits = false
    return { kind: 'reference', variable: speeches.has(variable) ? formatLoadName(variable) : variable, path }
  }
  const expression = (one: Expr, key: string): Expr => {
    if (one.kind === 'reference') return reference(one)
    if (one.kind === 'literal') return { ...one, value: convertForMock(one.value as JsonValue, key) }
    fits = false
    return one
  }
  const step = (one: ProgramStep): ProgramStep => {
    if (!isCall(one)) {
      fits = false
      return one
    }
    const { to_number: _, ...args } = Object.fromEntries(
      Object.entries(one.args).map(([name, value]) => [name, expression(value, name)]),
    )
    // The mock refuses a call without a voice.
    if (one.api === 'make_outbound_call') args['voice_name'] ??= { kind: 'literal', value: 'Emma' }
    return { ...one, args }
  }
  const block = ({ steps, result }: StepBlock): StepBlock => ({
    steps: steps.map(step),
    result: result.map((entry) => ({ ...entry, value: reference(entry.value) })),
  })
  const { branch } = program
  const { steps: body, result } = block({ steps: program.body, result: program.result ?? [] })
  const translated: Program = { ...program, body, ...(program.result && { result }) }
  if (branch) {
    const { variable, path } = reference(branch.condition)
    translated.branch = {
      condition: { ...branch.condition, variable, path },
      then: block(branch.then),
      otherwise: block(branch.otherwise),
    }
  }
  return fits ? translated : null
}

/** Fields of speeches are attributes. */
function withAttributes(code: string, { body, branch, variables }: Program): string {
  const steps = [body, branch?.then.steps ?? [], branch?.otherwise.steps ?? []].flat()
  const speechNames = steps.flatMap((one) =>
    isCall(one) && one.binds && makesSpeech.has(one.api) ? [one.binds] : [],
  )
  return [...speechNames, ...variables.map(({ name }) => formatLoadName(name))].reduce(
    (text, name) => text.replaceAll(new RegExp(`\\b${name}\\["(\\w+)"\\]`, 'g'), `${name}.$1`),
    code,
  )
}
