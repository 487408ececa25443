/**
 * Further inputs for a program, of the same shape: the same variables and paths, the same places shared.
 * Values, the order of the stored sessions and how many there are differ, so that a wrong program that agrees
 * by chance shows.
 */
import type { ExecutionInput, JsonValue, Program, Variable } from '@stateeval/contracts'
import {
  listAtoms,
  buildInput,
  drawPath,
  findPathTaken,
  isCall,
  listWrittenSteps,
  memoize,
  type RandomSource,
  type Scenario,
  steerInput,
} from '@stateeval/program'
import { contentText } from '@stateeval/world-model'
import { mapLeaves } from './leaves.ts'
import type { SessionDraft, SessionWorld } from './state.ts'
import { drawAnotherValue, createValues, pools, sources } from './values.ts'

const attempts = 16

/**
 * The constants of a program: values equal to one must stay, since the program doesn't change with its input.
 */
const constants = memoize((program: Program): ReadonlySet<JsonValue> => {
  const fixed = new Set<JsonValue>()
  for (const step of listWrittenSteps(program))
    for (const expr of isCall(step) ? Object.values(step.args) : [step.value])
      for (const atom of listAtoms(expr))
        if (atom.kind === 'literal') mapLeaves(atom.value as JsonValue, (_, leaf) => (fixed.add(leaf), leaf))
  return fixed
}, 4)

/** Exchanges values within each pool: equal values stay equal, different ones different. */
function exchangeValues(
  fixed: ReadonlySet<JsonValue>,
  rng: RandomSource,
): (kind: string, value: JsonValue) => JsonValue {
  const tables = new Map<string, Map<JsonValue, JsonValue>>()
  return (kind, value) => {
    let table = tables.get(kind)
    if (!table) {
      const free = (kind === 'source' ? sources : (pools[kind] ?? [])).filter((item) => !fixed.has(item))
      const exchanged = rng.shuffle(free)
      tables.set(kind, (table = new Map(free.map((item, index) => [item, exchanged[index] as JsonValue]))))
    }
    return table.get(value) ?? value
  }
}

/** Adds stored sessions to some places: each like an existing one, with a part of its values. */
function addSessions(items: readonly SessionDraft[], count: number, rng: RandomSource): SessionDraft[] {
  const values = createValues(rng)
  return Array.from({ length: items.length > 0 ? count : 0 }, () => {
    const item = rng.pick(items)
    const fresh = values.document(item.type)
    const data = mapLeaves(item.data, (kind, value) =>
      rng.chance(0.6) ? value : drawAnotherValue(kind, value, rng),
    ) as SessionDraft['data']
    return { ...item, data: { ...data, title: fresh.title as JsonValue } }
  })
}

const selectDistinctDrafts = (items: readonly SessionDraft[]) => {
  const keys = new Set<string>()
  return items.filter(({ source, type, data }) => {
    const key = `${source}/${type}/${contentText(data)}`
    return !keys.has(key) && keys.add(key)
  })
}

/**
 * Draws one input: `loose` is the chance that a value also stops being equal to its equals, `added` the
 * number of additional sessions.
 */
function draw(program: Program, loose: number, added: number, rng: RandomSource): ExecutionInput {
  const fixed = constants(program)
  const swap = exchangeValues(fixed, rng)
  const loosen = (kind: string, value: JsonValue) =>
    !fixed.has(value) && rng.chance(loose) ? drawAnotherValue(kind, value, rng) : value
  const redraw = (draft: SessionDraft): SessionDraft => ({
    source: swap('source', draft.source) as string,
    type: draft.type,
    data: mapLeaves(
      draft.data,
      (kind, value) => loosen(kind, swap(kind, value)) ?? value,
    ) as SessionDraft['data'],
  })
  const redrawn = ({ role, values }: Variable): JsonValue => {
    const value = values[0] as JsonValue
    return role === 'user' && value !== null && typeof value === 'object' && 'data' in value
      ? redraw(value as SessionDraft)
      : value
  }
  const items = (program.world as { items: SessionDraft[] }).items.map(redraw)
  return {
    variables: Object.fromEntries(program.variables.map((variable) => [variable.name, redrawn(variable)])),
    world: { items: rng.shuffle(selectDistinctDrafts([...items, ...addSessions(items, added, rng)])) },
  }
}

/** The input with the placeholders set so that the program goes some way; null where it fails. */
const steerSessionInput = (
  program: Program,
  scenario: Scenario<SessionWorld>,
  input: ExecutionInput,
  rng: RandomSource,
): ExecutionInput | null =>
  steerInput(
    program,
    input,
    (one) => findPathTaken(program, scenario, one),
    ({ equals }, value) => {
      const other = program.variables.find(({ name }) => name === equals)?.values[1] as JsonValue
      const different =
        typeof value === 'number'
          ? value + 1
          : typeof value === 'boolean'
            ? !value
            : other === value
              ? `${value as string} (other)`
              : other
      return rng.chance(0.5) ? ['then', value] : ['otherwise', different]
    },
  )

/**
 * A further input on which the program succeeds; the wilder draws are tried first, the program's own input is
 * the last resort.
 */
export function varySessionInput(
  program: Program,
  scenario: Scenario<SessionWorld>,
  rng: RandomSource,
  wide = false,
): ExecutionInput {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const loose = attempt < attempts / 2 ? (wide ? 0.3 : 0.15) : 0
    const attemptRng = rng.fork(attempt)
    const input = steerSessionInput(
      program,
      scenario,
      draw(program, loose, wide ? attemptRng.int(3, 8) : attemptRng.int(0, 2), attemptRng),
      rng.fork(`branch ${attempt}`),
    )
    if (input) return input
  }
  return buildInput(program, drawPath(program, rng))
}
