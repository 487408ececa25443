/**
 * From a draft to a program that is kept: the values of its initial tensors are made, in each of its worlds,
 * and stand in artifacts. A condition that asks where an element stands is measured on them.
 */
import type {
  Call,
  Condition,
  ExecutionInput,
  JsonValue,
  Program,
  VariableReference,
  ProgramStep,
} from '@stateeval/contracts'
import {
  type ArtifactBytes,
  createRng,
  type TensorExtreme,
  findExtremeNumber,
  isCall,
  isExtreme,
  readNumbers,
  createRef,
  listReferences,
  scaledSeed,
  type StoredTensor,
  tensorKey,
  toArtifact,
} from '@stateeval/program'
import { computeElements } from './elements.ts'
import { carriedElements, isLarge } from './large.ts'
import { count, type ElementArray } from './reference/array.ts'
import { toStateTensor, openWorld } from './state.ts'
import { drawTensor } from './values.ts'

/** Values drawn until an extreme leads clearly. */
const attempts = 12
/**
 * The least lead of an extreme, as a share of the largest magnitude: a thousand times what rounding makes of
 * any program.
 */
const leastLead = 1e-3

type TensorVariables = Readonly<Record<string, JsonValue>>
type SettledVariables = { variables: TensorVariables; place?: number; count?: number }

/**
 * null where the asked extreme leads on none of the values that were drawn: where the largest element stands
 * twice.
 */
export function settleProgram(draft: Program): { program: Program; artifacts: ArtifactBytes } | null {
  const artifacts: ArtifactBytes = {}
  const question = findQuestion(draft)
  const first = settleVariables(
    Object.fromEntries(draft.variables.map(({ name, values }) => [name, values[0] as JsonValue])),
    question,
    draft,
    artifacts,
  )
  const world = draft.secondWorlds?.[0]
  const second = world && settleVariables(world.variables as TensorVariables, question, draft, artifacts)
  if (!first || second === null) return null
  const places = [first, ...(second ? [second] : [])].flatMap(({ place }) => place ?? [])
  const equals = draft.branch?.condition.equals
  const constants = ({ place, count = 0 }: SettledVariables) =>
    place === undefined ? undefined : [place, chooseOtherPlace(place, count, places)]
  const variables = draft.variables.map((variable) => ({
    ...variable,
    values:
      variable.role === 'placeholder'
        ? ((variable.name === equals ? constants(first) : undefined) ?? variable.values)
        : [first.variables[variable.name]],
  }))
  const secondWorlds = draft.secondWorlds?.map((input, n): ExecutionInput => {
    const { variables: values } = second as SettledVariables
    const constant = constants(second as SettledVariables)?.[n]
    const placeholders = draft.variables.flatMap(({ name, role }): [string, unknown][] =>
      role === 'placeholder'
        ? [[name, (name === equals ? constant : undefined) ?? input.variables[name]]]
        : [],
    )
    return { ...input, variables: { ...values, ...Object.fromEntries(placeholders) } }
  })
  return { program: { ...draft, variables, ...(secondWorlds && { secondWorlds }) }, artifacts }
}

/** Near the place, and none that is right in any world. */
const chooseOtherPlace = (place: number, count: number, places: readonly number[]) =>
  createRng(`place/${place}/${count}`)
    .shuffle([place - 1, place + 1, place - 2, place + 2, place - 3, place + 3])
    .find((other) => other >= 0 && other < count && !places.includes(other)) as number

/**
 * The question of a condition for the place of an extreme: which extreme, of which tensor, and which calls
 * make that.
 */
interface ExtremeQuestion {
  extreme: TensorExtreme
  tensor: VariableReference
  makers: readonly Call[]
}
function findQuestion({ body, branch }: Program): ExtremeQuestion | null {
  const extreme = branch?.condition.path.at(-1)
  if (!branch || !isExtreme(extreme)) return null
  const { variable, path } = branch.condition
  const tensor = createRef(variable, ...path.slice(0, path.indexOf(tensorKey)))
  return { extreme, tensor, makers: listNeededCalls(body, branch.condition) }
}

/** The calls that what is asked follows from. */
function listNeededCalls(body: readonly ProgramStep[], { variable }: Condition): Call[] {
  const names = new Set([variable])
  return body.filter(isCall).reduceRight<Call[]>((calls, call) => {
    if (!call.binds || !names.has(call.binds)) return calls
    for (const reference of listReferences(call)) names.add(reference.variable)
    return [call, ...calls]
  }, [])
}

/** The values of a world as artifacts, and the place that the condition asks for. */
function settleVariables(
  drafts: TensorVariables,
  question: ExtremeQuestion | null,
  { world }: Program,
  artifacts: ArtifactBytes,
): SettledVariables | null {
  const large = isLarge(openWorld(world as JsonValue).elements)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const drawings = Object.entries(drafts).map(([name, value]) => {
      const tensor = toStateTensor(value)
      const staysDrawn = large && tensor !== null && count(tensor.shape) > carriedElements
      if (tensor?.seed === undefined || staysDrawn) return { name, value, tensor: null }
      const seed = attempt === 0 ? tensor.seed : `${tensor.seed}.${attempt}`
      return { name, value, tensor: drawTensor(seed, tensor.shape, seed.startsWith(scaledSeed)) }
    })
    const measured = question && measure(drawings, question)
    if (measured && measured.lead < leastLead) continue
    const variables = drawings.map(({ name, value, tensor }) => {
      if (!tensor) return [name, value] as const
      const artifact = toArtifact(tensor)
      artifacts[artifact.sha256] = artifact.file
      return [name, artifact.value] as const
    })
    return {
      variables: Object.fromEntries(variables),
      ...(measured && { place: measured.place, count: measured.count }),
    }
  }
  return null
}

function measure(
  drawings: readonly { name: string; tensor: StoredTensor | null }[],
  { extreme, tensor: asked, makers }: ExtremeQuestion,
) {
  const initial = new Map<string, ElementArray>()
  for (const { name, tensor } of drawings)
    if (tensor) initial.set(name, { shape: tensor.shape, values: readNumbers(tensor.dtype, tensor.bytes) })
  const { values } = computeElements(makers, initial, asked)
  return { ...findExtremeNumber(values, extreme), count: values.length }
}
