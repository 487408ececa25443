/** Expected calls and documented endpoints, which root causes are read against. */
import type { Call, Case, Expr, JsonValue, Program, ProgramStep } from '@stateeval/contracts'
import {
  listAtoms,
  listExecutionPaths,
  listIfs,
  interpret,
  isCall,
  isOnPath,
  type PathEnd,
  type ValuePath,
  type Scenario,
  listWrittenSteps,
  withBlock,
} from '@stateeval/program'
import { parseEndpoints, type DocumentedEndpoint } from './root-cause/requests.ts'
import type { ArgumentEdit, ExpectedCall } from './root-cause/root-cause.ts'
import type { RootCauseEvidence } from './root-cause/situation.ts'

interface ExpectedPath {
  expectedCalls: ExpectedCall[]
  otherCalls?: ExpectedCall[]
  resultKeys: string[]
  branching?: { otherKeys: string[]; conditionPath: ValuePath }
}

/**
 * The calls of the path that the reference takes on an input, and the keys of RESULT there; beside them, for
 * each if on the path, those of its other branch. A straight program has one such entry, with no others.
 */
export function listExpectedPaths(c: Case, input: number, scenario: Scenario): ExpectedPath[] {
  const oracle = c.oracles[input] ?? c.oracles[0]
  if (!oracle) return [{ expectedCalls: [], resultKeys: [] }]
  const { program } = c
  const resultKeys =
    oracle.result !== null && typeof oracle.result === 'object' ? Object.keys(oracle.result) : []
  const { calls: expectedCalls, taken } = buildExpectedCalls(program, scenario, oracle.input)
  const ifs = listIfs(program).filter(({ block }) => block === 'body' || isOnPath(block, taken))
  if (ifs.length === 0) return [{ expectedCalls, resultKeys }]
  return ifs.map(({ block, branch }): ExpectedPath => {
    const { condition, then, otherwise } = branch
    const flipped = withBlock(program, block, (one) => ({
      ...one,
      branch: { condition, then: otherwise, otherwise: then },
    }))
    const keys = listExecutionPaths(flipped)
      .filter(({ branch: end }) => isOnPath(block, end))
      .map(({ result }) => result.map(({ key }) => key))
    const otherKeys =
      keys.find(
        (some) => some.some((key) => !resultKeys.includes(key)) || some.length !== resultKeys.length,
      ) ?? resultKeys
    return {
      expectedCalls,
      otherCalls: buildExpectedCalls(flipped, scenario, oracle.input).calls,
      resultKeys,
      branching: { otherKeys, conditionPath: condition.path },
    }
  })
}

/** The expected path beside which a cause is found: the branch that was taken wrongly, if one was. */
export function explainBeside(
  paths: readonly ExpectedPath[],
  explain: (path: ExpectedPath) => RootCauseEvidence | null,
): RootCauseEvidence | null {
  const causes = paths.map(explain)
  return causes.find((cause) => cause?.kind === 'wrong_branch') ?? causes[0] ?? null
}

function buildExpectedCalls(
  program: Program,
  scenario: Scenario,
  input: Case['oracles'][number]['input'],
): { calls: ExpectedCall[]; taken: PathEnd } {
  const calls: {
    call: Call
    args: Readonly<Record<string, JsonValue>>
    output?: JsonValue
    changes: boolean
  }[] = []
  const run = interpret(program, scenario, input, (call, { args, output, affects }) =>
    calls.push({ call, args, ...(output === undefined ? {} : { output }), changes: affects.length > 0 }),
  )
  const { initial, created } = run.world.ids
  const tokens = new Map([
    ...initial.map((id, n) => [id, `<initial ${n + 1}>`] as const),
    ...created.map((id, n) => [id, `<created ${n + 1}>`] as const),
  ])
  const facts = collectArgumentFacts(program)
  const expectedCalls = calls.map(({ call, args, output, changes }) => ({
    api: call.api,
    args: withTokens(args, tokens) as Record<string, JsonValue>,
    ...(facts.get(call) ?? { sources: {} }),
    ...(output === undefined ? {} : { output: withTokens(output, tokens) }),
    changes,
  }))
  return { calls: expectedCalls, taken: run.ok ? run.branch : 'none' }
}

/** Finds where each call's arguments come from, and which parts of them the program itself has set. */
function collectArgumentFacts(program: Program): Map<Call, Pick<ExpectedCall, 'sources' | 'edited'>> {
  const facts = new Map<Call, Pick<ExpectedCall, 'sources' | 'edited'>>()
  const inputs = new Set(program.variables.map(({ name }) => name))
  for (const { steps } of listExecutionPaths(program)) {
    const edits: ProgramEdit[] = []
    for (const step of steps) {
      if (!isCall(step)) {
        edits.push({ ...step.target, source: isFromAnswer(step.value, inputs) ? 'answer' : 'given' })
        continue
      }
      const args = Object.entries(step.args)
      const sources = Object.fromEntries(
        args.map(([name, expr]) => [name, isFromAnswer(expr, inputs) ? 'answer' : 'given'] as const),
      )
      const edited = Object.fromEntries(args.flatMap(([name, expr]) => listArgumentEdits(name, expr, edits)))
      facts.set(step, { sources, edited })
    }
  }
  return facts
}
const isFromAnswer = (expr: Expr, inputs: ReadonlySet<string>) =>
  listAtoms(expr).some((atom) => atom.kind === 'reference' && !inputs.has(atom.variable))
function listArgumentEdits(
  name: string,
  expr: Expr,
  edits: readonly ProgramEdit[],
): [string, ArgumentEdit[]][] {
  if (expr.kind !== 'reference') return []
  const inside = edits.filter(
    ({ variable, path }) => variable === expr.variable && expr.path.every((key, n) => path[n] === key),
  )
  return inside.length
    ? [[name, inside.map(({ path, source }) => ({ path: path.slice(expr.path.length), source }))]]
    : []
}
/** A part of a variable that the program sets, and where its value comes from. */
interface ProgramEdit extends ArgumentEdit {
  variable: string
}

function withTokens(value: JsonValue, tokens: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return tokens.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => withTokens(item, tokens))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTokens(item, tokens)]))
}

const listStepEndpoints = (steps: readonly ProgramStep[]): DocumentedEndpoint[] =>
  steps.flatMap((step) =>
    isCall(step) && step.kind === 'http'
      ? [
          {
            api: step.api,
            method: step.method,
            path: step.path,
            query: step.query ?? [],
            ...(step.body === undefined ? {} : { body: step.body }),
          },
        ]
      : [],
  )

/**
 * Every endpoint that the documentation names; those of the program are in any documentation, and know more.
 */
export function listDocumentedEndpoints(c: Case, documentation: string): DocumentedEndpoint[] {
  const all = [...listStepEndpoints(listWrittenSteps(c.program)), ...parseEndpoints(documentation)]
  const body = all.find((one) => one.body !== undefined)?.body
  return all
    .filter(
      ({ method, path }, n) => all.findIndex((other) => other.method === method && other.path === path) === n,
    )
    .map((one) => (one.body === 'body' && body !== undefined ? { ...one, body } : one))
}
