/**
 * Finds, without running a program, which APIs it calls one after the other, and whether it meets the
 * generator's constraints. Programs that models write often don't run as they are; their adjacent transitions
 * can be told all the same (StateEval, section V-B).
 */
import type { AnyNode, Program } from 'acorn'
import { maxParsed, parse } from '@stateeval/javascript'
import { formatPair, type Scenario } from '@stateeval/program'
import { createRecogniser } from './apis.ts'
import { callClosure } from './calls.ts'
import { TooMuch } from './limits.ts'
import { walkEveryPath, type AnalysisMachine, type ProgramPath } from './machine.ts'
import { runAll } from './statements.ts'
import { NameScope, type AbstractValue } from './values.ts'

export interface ProgramAnalysis {
  /** The APIs called on each way through the program; ways that call the same are one. */
  paths: readonly (readonly string[])[]
  /** The distinct pairs of APIs that follow each other on some way (equation 3), in order of appearance. */
  adjacent: readonly string[]
  /** The constraints that it breaks. */
  breaks: readonly AnalysisBreak[]
}

/**
 * Constraints of the generator (section IV-B: "the same constraints as in StateGen"), in the order in which
 * the analysis looks for breaks of them.
 */
export const breaks = {
  no_api_call: 'calls no documented API',
  loop: 'has a loop',
  several_branches: 'has more than one if/else',
  other_length: 'makes another number of calls on some path',
  random: 'is random, or tells the time',
  no_result: 'does not set RESULT on every path',
} as const
type AnalysisBreak = keyof typeof breaks

/**
 * `length`: calls that every path has to make. Null where the code is no JavaScript, or too long, deep or
 * entangled to be read.
 */
export function analyseProgram(code: string, scenario: Scenario, length: number): ProgramAnalysis | null {
  const program = parseProgram(code)
  if (!program) return null
  try {
    const allPaths = walkEveryPath(createRecogniser(scenario), (machine) => walkProgram(program, machine))
    const paths = [...new Map(allPaths.map(({ calls }) => [calls.join(), calls])).values()]
    const pairs = paths.flatMap((calls) =>
      calls.slice(1).map((api, n) => formatPair(calls[n] as string, api)),
    )
    return { paths, adjacent: [...new Set(pairs)], breaks: listBreaks(program, allPaths, paths, length) }
  } catch (error) {
    if (error instanceof TooMuch) return null
    throw error
  }
}

function parseProgram(code: string): Program | null {
  if (code.length > maxParsed) return null
  for (const sourceType of ['script', 'module'] as const)
    try {
      return parse(code, {
        ecmaVersion: 'latest',
        sourceType,
        allowAwaitOutsideFunction: true,
        allowReturnOutsideFunction: true,
      })
    } catch {
      // Perhaps the other; else it is broken.
    }
  return null
}

function walkProgram(program: Program, machine: AnalysisMachine) {
  const scope = new NameScope(null)
  runAll(program.body, scope, machine)
  if (machine.calls.length > 0) return
  // A main that nothing calls was meant to be called.
  const main = ['main', 'run', 'default']
    .map((name) => scope.find(name))
    .find((value): value is ClosureValue => value?.kind === 'closure')
  if (main) callClosure(main, [], machine)
}
type ClosureValue = Extract<AbstractValue, { kind: 'closure' }>

const random =
  /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b|\buuid\w*\b|\bDate\.now\b|\bnew Date\(\)|\btorch\.(?:rand|bernoulli|normal|multinomial)\w*/

function listBreaks(
  program: Program,
  allPaths: readonly ProgramPath[],
  paths: readonly (readonly string[])[],
  length: number,
): AnalysisBreak[] {
  const nodes = [...walkNodes(program)]
  const count = (...types: AnyNode['type'][]) => nodes.filter(({ type }) => types.includes(type)).length
  const loops =
    count('ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement') > 0
  const source = nodes.some(
    (node) =>
      (node.type === 'CallExpression' || node.type === 'NewExpression') && random.test(formatCallee(node)),
  )
  const none = paths.every((calls) => calls.length === 0)
  const faults: [boolean, AnalysisBreak][] = [
    [none, 'no_api_call'],
    [loops || allPaths.some(({ repeats }) => repeats), 'loop'],
    [count('IfStatement') + count('SwitchStatement') > 1 || paths.length > 2, 'several_branches'],
    [!none && paths.some((calls) => calls.length !== length), 'other_length'],
    [source, 'random'],
    [allPaths.length === 0 || allPaths.some(({ result }) => !result), 'no_result'],
  ]
  return faults.flatMap(([is, reason]) => (is ? [reason] : []))
}

/** Formats the callee as dotted text; of a long chain its end. */
function formatCallee(node: AnyNode, left = 20): string {
  if (left === 0) return ''
  if (node.type === 'NewExpression')
    return `new ${formatCallee(node.callee, left - 1)}(${node.arguments.length > 0 ? '…' : ''})`
  if (node.type === 'CallExpression') return formatCallee(node.callee, left - 1)
  if (node.type === 'MemberExpression')
    return `${formatCallee(node.object, left - 1)}.${formatCallee(node.property, left - 1)}`
  return node.type === 'Identifier' ? node.name : ''
}

function* walkNodes(root: AnyNode): Generator<AnyNode> {
  const open: AnyNode[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    yield node
    for (const value of Object.values(node) as unknown[])
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (typeof child === 'object' && child !== null && typeof (child as AnyNode).type === 'string')
          open.push(child as AnyNode)
  }
}
