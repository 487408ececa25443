/** One scenario for every world model of HTTP operations. */
import { type Call, isRecord, type JsonValue, type Program } from '@stateeval/contracts'
import {
  createLiteral,
  interpret,
  listInputs,
  memoize,
  type Scenario,
  type ScenarioOperation,
} from '@stateeval/program'
import { computeModelDigest, type WorldModel } from '@stateeval/world-model'
import { listConditions } from './conditions.ts'
import { documentOperations, listTools } from './documentation.ts'
import { listEdits } from './edits.ts'
import { runCall } from './effect.ts'
import { type OperationPlan, planScenario, type ScenarioPlan } from './plan.ts'
import { createPhrase } from './say.ts'
import { buildCall, solveOperation } from './solve.ts'
import { drawStart } from './start.ts'
import { varyInput } from './vary.ts'
import { createVocabulary } from './vocabulary.ts'
import { getResultKey } from './wording.ts'
import { listHiddenPlaces, observeWorld, openWorld, type TrackedWorld, type WorldSetup } from './world.ts'

/**
 * Throws a RangeError where no operation of the model creates items.
 *
 * @param options.id names the scenario in programs; the model's digest by default
 */
export function createWorldScenario(
  model: WorldModel,
  options: { id?: string } = {},
): Scenario<TrackedWorld> {
  const plan = planScenario(model)
  if (plan.creators.size === 0)
    throw new RangeError(
      'The model has no JSON operation that creates items: programs would have an empty world.',
    )
  const digest = computeModelDigest(model)
  const id = options.id ?? `world@${digest}`
  const [only, ...others] = Object.values(model.types)
  const scenario: Scenario<TrackedWorld> = {
    id,
    version: digest,
    title: model.title,
    world: id,
    operations: plan.operations.map((form) => createOperation(plan, form)),
    vocabulary: createVocabulary(plan),
    start: (rng) => drawStart(plan, rng),
    open: memoize((initial: object) =>
      openWorld(plan, initial as WorldSetup),
    ) as Scenario<TrackedWorld>['open'],
    observe: (world) => observeWorld(plan, world),
    edits: (scope, rng) => listEdits(plan, scope, rng),
    conditions: (binding, rng) => listConditions(plan, binding, rng),
    vary: (program, rng, wide = false) => varyInput(plan, scenario, program, rng, wide),
    compare: {
      relativeTolerance: 1e-9,
      unordered: [['items']],
      ...(only && others.length === 0 && { noun: only.noun }),
    },
    compareFor: memoize((program: Program) => ({
      ...scenario.compare,
      masked: listMasked(scenario, program),
    })),
    documentation: (language) => documentOperations(plan, language),
    reread: (value) => rereadItem(plan, value),
    tools: listTools(plan),
  }
  return scenario
}

/** Places in RESULT of values that only the server knows, on any input. */
const listMasked = (scenario: Scenario<TrackedWorld>, program: Program) =>
  listInputs(program).flatMap((input) => {
    const run = interpret(program, scenario, input)
    return run.ok ? listHiddenPlaces(run.result) : []
  })

function createOperation(plan: ScenarioPlan, form: OperationPlan): ScenarioOperation<TrackedWorld> {
  const { id, operation, body } = form
  return {
    id,
    ...(body && { sendsObjects: true }),
    solve: (scope, rng) => solveOperation(plan, form, scope, rng),
    apply: (world, args) => runCall(plan, form, world, args),
    ...(operation.answer.is !== 'none' && {
      gathers: { key: getResultKey(form), path: operation.answer.at ?? [] },
    }),
    say: createPhrase(plan, form),
  }
}

/** The call that reads an item again, where its fields tell the type, and it has no items above. */
function rereadItem({ operations }: ScenarioPlan, value: JsonValue): Call | null {
  if (!isRecord(value)) return null
  const fitting = operations.filter(
    ({ operation, type, parents, place }) =>
      operation.effect === 'read' &&
      parents.length === 0 &&
      [type.identity.field, ...place].every((name) => typeof value[name] === 'string') &&
      Object.entries(type.fields).every(([name, { required }]) => !required || name in value),
  )
  const [form] = fitting
  if (!form || fitting.length > 1) return null
  const names = Object.fromEntries(form.place.map((name) => [name, createLiteral(value[name]!)]))
  return buildCall(form, {
    ...names,
    [form.operation.target!]: createLiteral(value[form.type.identity.field]!),
  })
}
