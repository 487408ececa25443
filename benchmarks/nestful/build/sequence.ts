/**
 * A program as a sequence of calls with nested references: the calls of one path, without edits of values.
 * References of the program become references to the labels of calls, or to variables of the initialisation
 * block.
 */
import type { Atom, Call, Expr, JsonValue, Program, VariableReference } from '@stateeval/contracts'
import { isCall, listExecutionPaths, withId } from '@stateeval/program'
import type { GoldCall } from '../case.ts'

export interface CallSequence {
  /** The straight program whose calls they are. */
  program: Program
  calls: GoldCall[]
  /** RESULT, as the arguments of the pseudo call var_result. */
  result: string
}

/**
 * Builds the sequence of a program's calls; for a program with a branch, of its first input's path.
 *
 * @returns a short reason where there is none.
 */
export function buildSequence(program: Program): CallSequence | { reason: string } {
  const straight = straightenProgram(program)
  const calls = straight.body.filter((step): step is Call => isCall(step))
  if (calls.length < 2) return { reason: 'fewer than two calls' }
  const labels = new Map<string, string>()
  const listed: GoldCall[] = []
  for (const [at, call] of calls.entries()) {
    const label = `var${at + 1}`
    const args = Object.fromEntries(
      Object.entries(call.args).map(([name, value]) => [name, convertExpr(value, labels)]),
    )
    const text = JSON.stringify(args)
    if (text.includes(unspeakable)) return { reason: 'a reference cannot be written' }
    listed.push({ name: call.api, label, arguments: text })
    if (call.binds !== undefined) labels.set(call.binds, label)
  }
  if (!listed.some(({ arguments: args }) => args.includes('"$var')))
    return { reason: 'no call uses the result of another' }
  const result = JSON.stringify(
    Object.fromEntries(
      (straight.result ?? []).map(({ key, value }) => [key, formatLabelReference(value, labels)]),
    ),
  )
  if (result === '{}' || result.includes(unspeakable)) return { reason: 'no result is named' }
  // A result that is a variable of the initialisation block is no call's.
  if (/"\$(?!var\d)/.test(result)) return { reason: 'a result does not come from a call' }
  return { program: straight, calls: listed, result }
}

function straightenProgram(program: Program): Program {
  const { id: _, branch: __, ...head } = program
  const [first] = listExecutionPaths(program)
  const variables = program.variables.filter(({ role }) => role !== 'placeholder')
  return withId({ ...head, variables, body: first!.steps.filter(isCall), result: [...first!.result] })
}

/** Stands for what can't be written between dollar signs. */
const unspeakable = '\u0000'

function formatLabelReference(
  { variable, path }: VariableReference,
  labels: ReadonlyMap<string, string>,
): string {
  if (path.some((key) => typeof key === 'string' && /[.[\]$]/.test(key))) return unspeakable
  const steps = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return `$${labels.get(variable) ?? variable}${steps}$`
}

function convertExpr(value: Expr, labels: ReadonlyMap<string, string>): JsonValue {
  switch (value.kind) {
    case 'list':
      return value.items.map((item) => convertExpr(item, labels))
    case 'object':
      return Object.fromEntries(
        Object.entries(value.entries).map(([name, entry]: [string, Atom]) => [
          name,
          convertExpr(entry, labels),
        ]),
      )
    case 'reference':
      return formatLabelReference(value, labels)
    case 'literal':
      // A literal text with dollar signs would be read as a reference.
      return typeof value.value === 'string' && value.value.includes('$')
        ? unspeakable
        : (value.value as JsonValue)
  }
}
