/** The structure of a program: its calls, edits, references and branching, without values. */
import type { Atom, StepBlock, Expr, Program, ProgramStep } from '@stateeval/contracts'
import { isCall, type ValuePath, formatReference } from '@stateeval/program'

const atom = (item: Atom) => (item.kind === 'literal' ? '*' : formatReference(item))
function shape(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return '*'
    case 'reference':
      return formatReference(expr)
    case 'list':
      return `[${expr.items.map(atom).join()}]`
    case 'object':
      return `{${named(expr.entries)}}`
  }
}
/** Sorted by name: the order in which arguments are written says nothing. */
function named(parts: Readonly<Record<string, Expr>>): string {
  let all = ''
  for (const name of inOrder(Object.keys(parts)))
    all += `${all === '' ? '' : ','}${name}:${shape(parts[name] as Expr)}`
  return all
}
/** Few names, most of them in order already. */
function inOrder(names: string[]): string[] {
  for (let at = 1; at < names.length; at++)
    if ((names[at] as string) < (names[at - 1] as string)) return names.sort()
  return names
}
const step = (item: ProgramStep) =>
  isCall(item) ? `${item.api}(${named(item.args)})` : `${formatReference(item.target)}=${shape(item.value)}`
const result = (entries: StepBlock['result']) =>
  entries.map(({ key, value }) => `${key}:${formatReference(value)}`).join()
const block = (one: StepBlock) => `${one.steps.map(step).join(';')}>${result(one.result)}`
const test = ({ variable, path, measure }: { variable: string; path: ValuePath; measure: string }) =>
  `${measure} ${formatReference({ variable, path })}`

/**
 * The structure as a text of some hundred characters. Programs that differ only in values have the same.
 */
export function structure({ body, result = [], branch }: Program): string {
  const rest = branch ? `?${test(branch.condition)}|${block(branch.then)}|${block(branch.otherwise)}` : ''
  return block({ steps: body, result }) + rest
}
