/**
 * Further inputs of a published case. Its values are renamed consistently, so that what was equal stays
 * equal: in the initial block, in preloaded values and in remote items; what the program itself has as a
 * constant stays. Items join, constants move, tensors get other values of the same shape.
 */
import { type ExecutionInput, type JsonValue, maxAttemptBytes, type TensorDtype } from '@stateeval/contracts'
import {
  getElementBytes,
  writeFloat32,
  isTensorLike,
  type RandomSource,
  createTensor,
} from '@stateeval/program'
import { type ScenarioName, type CaseSession, type PublishedTask, type ProgramTest } from '../case.ts'
import { removeDuplicates } from '../dataset/duplicates.ts'
import { buildHarnessInput } from '../run/harness.ts'
import { library } from '../run/voice.ts'
import { readLogicalLines } from '@stateeval/program'

/** Limit of all inputs' values of a case: they travel in one message. */
const maxBytes = 4 * 2 ** 20
/** Limit of all runs' results, whose tensors are base64: as many inputs are drawn as have room for theirs. */
const maxResultBytes = (maxAttemptBytes * 3) / 4 / 1.1

export function createFurtherInputs(
  { scenario, tests }: PublishedTask,
  count: number,
  rng: RandomSource,
): ExecutionInput[] {
  const measure = (select: (test: ProgramTest) => readonly JsonValue[]) =>
    tests.reduce((most, test) => Math.max(most, countTensorBytes(select(test))), 1)
  const most = Math.min(
    maxBytes / measure(({ load }) => Object.values(load)),
    maxResultBytes / measure(({ result }) => [result]),
  )
  const fitting = Math.max(1, Math.min(count, Math.floor(most)))
  return Array.from({ length: fitting }, (_, n) => {
    const caseRng = rng.fork(n)
    return buildHarnessInput(varyTest(scenario, caseRng.pick(tests), caseRng))
  })
}

function countTensorBytes(values: readonly JsonValue[]): number {
  return values.reduce<number>((sum, value) => {
    if (!isTensorLike(value)) return sum + JSON.stringify(value).length
    const { dtype, shape } = value.$tensor as { dtype: TensorDtype; shape: number[] }
    return sum + shape.reduce((product, size) => product * size, getElementBytes(dtype))
  }, 0)
}

function varyTest(
  scenario: ScenarioName,
  test: ProgramTest,
  rng: RandomSource,
): Pick<ProgramTest, 'init' | 'load' | 'items'> {
  const rename = drawRenaming(scenario, test, rng)
  return {
    init: varyText(test.init, rename, rng.fork('numbers')),
    load: Object.fromEntries(
      Object.entries(test.load).map(([name, value]) => [name, varyValue(value, rename, rng.fork(name))]),
    ),
    items: scenario === 'session' ? varyItems(test.items, rename, rng.fork('items')) : [],
  }
}

type StringRename = (value: string) => string

/**
 * One new value for each old one. What the program names as a constant, or what has a fixed set of values,
 * stays.
 */
function drawRenaming(
  scenario: ScenarioName,
  { program, items }: ProgramTest,
  rng: RandomSource,
): StringRename {
  const fixed = new Set(items.flatMap(({ source, type }) => [source, type]))
  const renames = new Map<string, string>()
  const voices = scenario === 'voice' ? drawExchanges(rng) : new Map<string, string>()
  const make = (value: string): string => {
    if (value === '' || fixed.has(value) || program.includes(value)) return value
    const voice = voices.get(value)
    if (voice !== undefined) return voice
    if (rng.chance(0.4)) return value
    if (/^\d+(\.\d+)?$/.test(value)) return String(rng.int(0, 99))
    // Programs count sentences.
    return rng.chance(0.5) ? `${value} (${rng.int(2, 99)})` : `${value} More of it.`
  }
  return (value) => {
    const newName = renames.get(value) ?? make(value)
    renames.set(value, newName)
    return newName
  }
}

/** Names, categories and genders of the library, each for another of its kind. */
function drawExchanges(rng: RandomSource): Map<string, string> {
  const kinds = (['voice_name', 'category', 'gender'] as const).map((field) => [
    ...new Set(library.map((voice) => voice[field])),
  ])
  return new Map(
    kinds.flatMap((values) => {
      const others = rng.shuffle(values)
      return values.map((value, n): [string, string] => [value, others[n]!])
    }),
  )
}

/** Strings of the initial block that are values, not keys; some of its whole numbers. */
function varyText(init: string, rename: StringRename, rng: RandomSource): string {
  let text = init
  for (const { tokens } of readLogicalLines(init).toReversed())
    for (const [n, token] of [...tokens.entries()].toReversed()) {
      const quote = token.text[0]!
      const put = (value: string) => void (text = text.slice(0, token.from) + value + text.slice(token.to))
      const plain =
        token.kind === 'string' &&
        `"'`.includes(quote) &&
        !token.text.includes('\\') &&
        !token.text.startsWith(quote.repeat(3))
      if (plain && tokens[n + 1]?.text !== ':') {
        const value = token.text.slice(1, -1)
        const renamed = rename(value)
        if (renamed !== value) put(JSON.stringify(renamed))
      }
      if (token.kind === 'number' && /^\d+$/.test(token.text) && tokens.length === 3 && rng.chance(0.3))
        put(String(Number(token.text) + rng.int(1, 2)))
    }
  return text
}

function varyValue(value: JsonValue, rename: StringRename, rng: RandomSource): JsonValue {
  if (typeof value === 'string') return rename(value)
  if (value === null || typeof value !== 'object') return value
  if (isTensorLike(value)) {
    const { dtype, shape } = value.$tensor as { dtype: TensorDtype; shape: number[] }
    if (dtype !== 'float32') return value
    const count = shape.reduce((product, size) => product * size, 1)
    return createTensor(dtype, shape, writeFloat32(Array.from({ length: count }, () => drawNormals(rng))))
  }
  if (Array.isArray(value)) return value.map((item) => varyValue(item, rename, rng))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'transitions' ? item : varyValue(item, rename, rng),
    ]),
  )
}

/** Close to a standard normal draw: twelve uniform ones. */
const drawNormals = (rng: RandomSource) =>
  Array.from({ length: 12 }, () => rng.unit()).reduce((sum, one) => sum + one, -6)

/** Items with renamed data, and some more beside them: in the same pairs, so that lists are longer. */
function varyItems(items: readonly CaseSession[], rename: StringRename, rng: RandomSource): CaseSession[] {
  const renamed = items.map((item) => ({
    ...item,
    data: varyValue(item.data, rename, rng) as CaseSession['data'],
  }))
  const more = renamed.flatMap((item, n): CaseSession[] => {
    if (!rng.chance(0.5)) return []
    const keys = Object.keys(item.data).filter((key) => typeof item.data[key] === 'string')
    if (keys.length === 0) return []
    return [{ ...item, data: { ...item.data, [rng.pick(keys)]: `another ${n}` } }]
  })
  return removeDuplicates(rng.chance(0.5) ? [...renamed, ...more] : [...more, ...renamed])
}
