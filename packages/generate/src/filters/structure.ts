/** The structure of a program: its calls, edits, references and branching, without any value. */
import type { Atom, Block, Expr, Program, Step } from '@stateeval/contracts'
import { canonicalJson, isCall, sha256, spell } from '@stateeval/program'

const atom = (item: Atom) => (item.kind === 'literal' ? '*' : spell(item))
function shape(expr: Expr): unknown {
  if (expr.kind === 'list') return expr.items.map(atom)
  if (expr.kind === 'object') return Object.fromEntries(Object.entries(expr.entries).map(([key, item]) => [key, atom(item)]))
  return atom(expr)
}
const step = (item: Step) =>
  isCall(item)
    ? { api: item.api, args: Object.fromEntries(Object.entries(item.args).map(([name, expr]) => [name, shape(expr)])) }
    : { edit: spell(item.target), value: shape(item.value) }
const block = ({ steps, result }: Block) => ({ steps: steps.map(step), result: result.map(({ key, value }) => [key, spell(value)]) })

/** Programs that differ in values only have the same structure. */
export function structure({ body, result = [], branch }: Program): string {
  const test = branch && { ...branch.condition, equals: '*', then: block(branch.then), otherwise: block(branch.otherwise) }
  return sha256(canonicalJson({ ...block({ steps: body, result }), branch: test ?? null }))
}
