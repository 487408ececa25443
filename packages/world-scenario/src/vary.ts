/** Further inputs of a program: the same variables and shapes, other values, other initial items. */
import {
  type ExecutionInput,
  isRecord,
  type JsonObject,
  type JsonValue,
  type Program,
} from '@stateeval/contracts'
import {
  buildInput,
  drawPath,
  findPathTaken,
  isCall,
  listAtoms,
  type RandomSource,
  type Scenario,
  steerInput,
} from '@stateeval/program'
import { getPathValue, setPathValue } from '@stateeval/world-model'
import type { OperationPlan, ScenarioPlan } from './plan.ts'
import { reorderSetup } from './reorder.ts'
import { drawOther, listBodyLeaves } from './values.ts'
import type { TrackedWorld, WorldSetup } from './world.ts'

const attempts = 12

/** Exchanges the leaves of bodies: equal values stay equal, constants of the program stay. */
function exchangeLeaves(fixed: ReadonlySet<JsonValue>, loose: number, rng: RandomSource) {
  const tables = new Map<string, Map<JsonValue, JsonValue>>()
  const exchange = (form: OperationPlan, path: (string | number)[], value: JsonValue): JsonValue => {
    if (value === null || fixed.has(value)) return value
    if (Array.isArray(value)) return value.map((item) => exchange(form, path, item))
    const key = path.join('.')
    const table = tables.get(key) ?? new Map<JsonValue, JsonValue>()
    tables.set(key, table)
    if (!table.has(value)) {
      const other = drawOther(form.type, path, value, rng)
      const isTaken = fixed.has(other) || [...table.values()].includes(other)
      table.set(value, isTaken ? value : other)
    }
    return rng.chance(loose) ? drawOther(form.type, path, value, rng) : table.get(value)!
  }
  return (form: OperationPlan, content: JsonObject): JsonObject =>
    listBodyLeaves(content).reduce((all, { path, value }) => {
      const name = String(path[0])
      const isName = name === form.type.identity.field || form.type.fields[name]?.refers !== undefined
      return isName || path.length === 0
        ? all
        : setPathValue(all, path.map(String), exchange(form, path, value))
    }, content)
}

const listConstants = ({ body, branch }: Program): ReadonlySet<JsonValue> =>
  new Set(
    [...body, ...(branch?.then.steps ?? []), ...(branch?.otherwise.steps ?? [])]
      .flatMap((step) => (isCall(step) ? Object.values(step.args) : [step.value]))
      .flatMap(listAtoms)
      .flatMap((atom) => (atom.kind === 'literal' ? listBodyLeaves(atom.value as JsonValue) : []))
      .flatMap(({ value }) => (Array.isArray(value) ? value : [value])),
  )

function drawInput(
  plan: ScenarioPlan,
  program: Program,
  wide: boolean,
  loose: number,
  rng: RandomSource,
): ExecutionInput {
  const redraw = exchangeLeaves(listConstants(program), loose, rng)
  const fresh = exchangeLeaves(listConstants(program), 0.5, rng)
  const { calls } = program.world as WorldSetup
  const reordered = reorderSetup(
    plan,
    calls,
    (form, content) => (rng.chance(0.8) ? redraw : fresh)(form, content),
    wide ? rng.int(2, 5) : rng.int(0, 2),
    rng,
  )
  const redrawUser = (value: JsonValue): JsonValue => {
    if (!isRecord(value)) return value
    const form = plan.operations.find(
      ({ body, operation: { type } }) => body && value[plan.bodyKeys[type]!] !== undefined,
    )
    if (!form) return value
    const key = plan.bodyKeys[form.operation.type]!
    const content = getPathValue(value[key], form.body!.at)
    return isRecord(content) ? setPathValue(value, [key, ...form.body!.at], redraw(form, content)) : value
  }
  return {
    variables: Object.fromEntries(
      program.variables.map(({ name, role, values }) => {
        const value = values[0] as JsonValue
        return [name, role === 'user' ? redrawUser(value) : value]
      }),
    ),
    world: { calls: reordered },
  }
}

export function varyInput(
  plan: ScenarioPlan,
  scenario: Scenario<TrackedWorld>,
  program: Program,
  rng: RandomSource,
  wide: boolean,
): ExecutionInput {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const fork = rng.fork(attempt)
    const loose = attempt < attempts / 2 ? (wide ? 0.3 : 0.15) : 0
    const input = drawInput(plan, program, wide, loose, fork)
    const steered = steerInput(
      program,
      input,
      (one) => findPathTaken(program, scenario, one),
      ({ equals }, tested) => {
        const values = program.variables.find(({ name }) => name === equals)!.values as JsonValue[]
        const other = values.findLast((value) => value !== tested)
        if (other === undefined) return null
        return fork.chance(0.5) ? ['then', tested] : ['otherwise', other]
      },
    )
    if (steered) return steered
  }
  return buildInput(program, drawPath(program, rng))
}
