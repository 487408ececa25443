/** The structure of a program: its calls, edits, references and branching, without values. */
import type { Atom, StepBlock, Expr, Program, ProgramStep } from '@stateeval/contracts'
import { branchSides, getRootBlock, isCall, type ValuePath, formatReference } from '@stateeval/program'

const formatAtomShape = (item: Atom) => (item.kind === 'literal' ? '*' : formatReference(item))
function formatExprShape(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return '*'
    case 'reference':
      return formatReference(expr)
    case 'list':
      return `[${expr.items.map(formatAtomShape).join()}]`
    case 'object':
      return `{${formatNamedShapes(expr.entries)}}`
  }
}
/** Sorted by name: the order in which arguments are written says nothing. */
function formatNamedShapes(parts: Readonly<Record<string, Expr>>): string {
  let all = ''
  for (const name of sortNames(Object.keys(parts)))
    all += `${all === '' ? '' : ','}${name}:${formatExprShape(parts[name] as Expr)}`
  return all
}
/** Few names, most of them in order already. */
function sortNames(names: string[]): string[] {
  for (let at = 1; at < names.length; at++)
    if ((names[at] as string) < (names[at - 1] as string)) return names.sort()
  return names
}
const formatStepShape = (item: ProgramStep) =>
  isCall(item)
    ? `${item.api}(${formatNamedShapes(item.args)})`
    : `${formatReference(item.target)}=${formatExprShape(item.value)}`
const formatResultShape = (entries: StepBlock['result']) =>
  entries.map(({ key, value }) => `${key}:${formatReference(value)}`).join()
const formatTestShape = ({
  variable,
  path,
  measure,
}: {
  variable: string
  path: ValuePath
  measure: string
}) => `${measure} ${formatReference({ variable, path })}`

/**
 * The structure as a text of some hundred characters. Programs that differ only in values have the same.
 */
export const formatStructure = (program: Program): string => formatBlockShape(getRootBlock(program))

function formatBlockShape({ steps, result, branch }: StepBlock): string {
  const own = `${steps.map(formatStepShape).join(';')}>${formatResultShape(result)}`
  if (!branch) return own
  const sides = branchSides.map((side) => `|${formatBlockShape(branch[side])}`).join('')
  return `${own}?${formatTestShape(branch.condition)}${sides}`
}
