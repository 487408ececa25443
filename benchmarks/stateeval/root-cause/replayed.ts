/**
 * Calls of a program that no world logs: read in its text and replayed by the state machine, beside those of
 * the reference.
 */
import type { Case, JsonValue } from '@stateeval/contracts'
import { isTensorLike, type Scenario } from '@stateeval/program'
import { createTensorTokens } from '../tools/graded/calls.ts'
import { type AlignedStep, alignSteps, countSharedCalls } from './align.ts'
import type { ObservedCall } from './observed.ts'
import type { ExpectedCall } from './situation.ts'
import { readWrittenCalls } from './written-calls.ts'

interface ReplayedCalls {
  writtenCalls: ObservedCall[]
  expectedCalls: ExpectedCall[]
  otherCalls?: ExpectedCall[]
}

/** What a replayed call may work on: the text is the candidate's, and the time is ours. */
const limits = { elements: 1_000_000, product: 50_000_000, number: 64 }

/** Null where the text doesn't tell the calls. */
export function replayWrittenCalls(
  code: string,
  { oracles }: Case,
  input: number,
  scenario: Scenario,
  { expectedCalls, otherCalls }: Omit<ReplayedCalls, 'writtenCalls'>,
): ReplayedCalls | null {
  const oracle = oracles[input]
  if (!oracle || !scenario.tools) return null
  const operations = new Map(scenario.operations.map((one) => [one.id, one]))
  let world = scenario.open(oracle.input.world as JsonValue)
  const written = readWrittenCalls(
    code,
    scenario.tools.map(({ name, parameters }) => ({
      api: name,
      parameters: Object.keys(parameters?.['properties'] ?? {}),
    })),
    oracle.input.variables as Record<string, JsonValue>,
    (api, args) => {
      if (!isBounded(args)) return undefined
      const transition = operations.get(api)!.apply(world, args)
      if (!transition.ok) return undefined
      world = transition.world
      return transition.output
    },
  )
  if (!written) return null
  const tokens = createTensorTokens(oracle.input.variables as Record<string, JsonValue>)
  const named = (calls: readonly ExpectedCall[], name: (at: number) => string) =>
    calls.map((call, at): ExpectedCall => {
      const args = tokens.put(call.args) as Record<string, JsonValue>
      if (call.output !== undefined) tokens.learn(call.output, `<${name(at)}>`)
      return { ...call, args, ...(call.output !== undefined && { output: tokens.put(call.output) }) }
    })
  const expected = named(expectedCalls, (at) => `output of call ${at + 1}`)
  const other = otherCalls && named(otherCalls, (at) => `output of call ${at + 1} of the other branch`)
  const writtenCalls = written.map(({ api, args, unread, text, status, output }, at): ObservedCall => {
    const shown = tokens.put(args) as Record<string, JsonValue>
    if (output !== undefined) tokens.learn(output, `<output of the code’s call ${at + 1}>`)
    return {
      ...{ api, args: shown, unread, status, unknown: [], changes: false, request: text },
      ...(output !== undefined && { answer: tokens.put(output) }),
    }
  })
  return { writtenCalls, expectedCalls: expected, ...(other && { otherCalls: other }) }
}

/** Aligns what the text tells, where both branches stand in either order, with the reference's own way. */
export function alignWrittenCalls({
  writtenCalls,
  expectedCalls,
  otherCalls = [],
}: {
  writtenCalls: readonly ObservedCall[]
  expectedCalls: readonly ExpectedCall[]
  otherCalls?: readonly ExpectedCall[]
}): AlignedStep[] {
  const shared = countSharedCalls(expectedCalls, otherCalls)
  const [own, other] = [expectedCalls.slice(shared), otherCalls.slice(shared)]
  const before = expectedCalls.slice(0, shared)
  const [first, second] = [
    alignSteps([...before, ...own, ...other], writtenCalls),
    alignSteps([...before, ...other, ...own], writtenCalls),
  ]
  const { steps } = second.cost < first.cost ? second : first
  // Extra calls in the text may be in the other branch, whose own calls are not looked at.
  return steps.filter(({ expected }) => !expected || expectedCalls.includes(expected))
}

function isBounded(args: Readonly<Record<string, JsonValue>>): boolean {
  const sizes = Object.values(args).map(countElements)
  const product = sizes.reduce((all, size) => all * Math.max(1, size), 1)
  const sum = sizes.reduce((all, size) => all + size, 0)
  return sum <= limits.elements && product <= limits.product && Object.values(args).every(hasSmallNumbers)
}
const countElements = (value: JsonValue): number =>
  Array.isArray(value)
    ? value.reduce<number>((sum, one) => sum + countElements(one), 0)
    : isTensorLike(value)
      ? (value.$tensor as { shape: number[] }).shape.reduce((all, size) => all * size, 1)
      : 0
const hasSmallNumbers = (value: JsonValue): boolean =>
  typeof value === 'number'
    ? Math.abs(value) <= limits.number
    : !Array.isArray(value) || value.every(hasSmallNumbers)
