/** The structure of a program: its calls, edits, references and branching, without any value. */
import type { Atom, Block, Expr, Program, Step } from '@stateeval/contracts'
import { isCall, type Path, spell } from '@stateeval/program'

const atom = (item: Atom) => (item.kind === 'literal' ? '*' : spell(item))
function shape(expr: Expr): string {
  if (expr.kind === 'list') return `[${expr.items.map(atom).join()}]`
  if (expr.kind === 'object') return `{${named(expr.entries, atom)}}`
  return atom(expr)
}
/** By name: the order in which arguments are written says nothing. */
function named<T>(parts: Readonly<Record<string, T>>, text: (part: T) => string): string {
  let all = ''
  for (const name of Object.keys(parts).sort()) all += `${all === '' ? '' : ','}${name}:${text(parts[name] as T)}`
  return all
}
const step = (item: Step) => (isCall(item) ? `${item.api}(${named(item.args, shape)})` : `${spell(item.target)}=${shape(item.value)}`)
const result = (entries: Block['result']) => entries.map(({ key, value }) => `${key}:${spell(value)}`).join()
const block = (one: Block) => `${one.steps.map(step).join(';')}>${result(one.result)}`
const test = ({ variable, path, measure }: { variable: string; path: Path; measure: string }) => `${measure} ${spell({ variable, path })}`

/** As a text of some hundred characters. Programs that differ in values only have the same. */
export function structure({ body, result = [], branch }: Program): string {
  const rest = branch ? `?${test(branch.condition)}|${block(branch.then)}|${block(branch.otherwise)}` : ''
  return block({ steps: body, result }) + rest
}
