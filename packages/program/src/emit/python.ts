/**
 * Emits idiomatic Python: a script that calls HTTP APIs with requests. Same requests and same RESULT as the
 * JavaScript.
 */
import {
  type StepBlock,
  type Condition,
  type Expr,
  type FunctionCall,
  type HttpCall,
  type JsonValue,
  getOwnMember,
  type Program,
  type VariableReference,
  type ProgramStep,
  type ToolCall,
} from '@stateeval/contracts'
import { getRootBlock, listWrittenSteps } from '../blocks.ts'
import { isCall, type ValuePath } from '../expr.ts'
import { isTensorLike } from '../tensor/value.ts'
import { CodeText } from './code-text.ts'
import { listModules } from './modules.ts'
import type { CodeEmitter } from './emitter.ts'
import { writeExpressions } from './expression.ts'

/** JSON's escapes are Python's. */
const emitPythonString = (value: string) => JSON.stringify(value)
const emitDict = (all: [string, string][]) =>
  `{${all.map(([key, value]) => `${emitPythonString(key)}: ${value}`).join(', ')}}`

function emitPythonJson(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(emitPythonJson).join(', ')}]`
  if (isTensorLike(value))
    return `torch.zeros(${emitPythonJson((value.$tensor as { shape: number[] }).shape)})`
  if (typeof value === 'object')
    return emitDict(Object.entries(value).map(([key, item]) => [key, emitPythonJson(item)]))
  return JSON.stringify(value)
}

const emitPythonPath = (path: ValuePath) =>
  path.map((key) => (typeof key === 'number' ? `[${key}]` : `[${emitPythonString(key)}]`)).join('')

const { reference, expression } = writeExpressions({
  literal: emitPythonJson,
  member: emitPythonPath,
  record: emitDict,
  text: (code) => `str(${code})`,
})

/** Keys that an f-string may hold before Python 3.12: its own quotes and backslashes can’t stand inside. */
const plainKey = /^[^'"\\{}\p{C}]*$/u

/** The address as an f-string; with `format` where a key is too odd for one. */
function emitPythonUrl(call: HttpCall): string {
  const refs: VariableReference[] = []
  const template = (brace: (atom: VariableReference) => string) =>
    call.path.replace(/\{(\w+)\}|[{}]/g, (match, name: string | undefined) => {
      if (name === undefined) return match + match
      const arg = call.args[name] as VariableReference | { kind: 'literal'; value: JsonValue }
      if (arg.kind === 'literal') return encodeURIComponent(String(arg.value))
      return brace(arg)
    })
  const whole = template((atom) => {
    refs.push(atom)
    return '{}'
  })
  const plain = refs.every(({ path }) => path.every((key) => typeof key === 'number' || plainKey.test(key)))
  if (!plain)
    return `${emitPythonString(`{}${whole}`)}.format(${['BASE_URL', ...refs.map(reference)].join(', ')})`
  return `f"{BASE_URL}${template(({ variable, path }) => `{${variable}${emitPythonPath(path).replaceAll('"', "'")}}`)}"`
}

/**
 * In a query string everything is text, and JavaScript’s words for it are what the service expects: true, not
 * True.
 */
const emitQueryValue = (expr: Expr) =>
  expr.kind === 'literal' && typeof expr.value === 'boolean'
    ? emitPythonString(String(expr.value))
    : expression(expr)

function emitPythonHttpCall(call: HttpCall): string {
  const args = [emitPythonUrl(call)]
  if (call.query?.length)
    args.push(`params=${emitDict(call.query.map((name) => [name, emitQueryValue(call.args[name] as Expr)]))}`)
  if (call.body !== undefined) args.push(`json=${expression(call.args[call.body] as Expr)}`)
  return `requests.${call.method.toLowerCase()}(${args.join(', ')})`
}

function emitPythonCall(step: FunctionCall | ToolCall): string {
  const positional = step.kind === 'function' ? (step.positional ?? []) : []
  const namedArguments = Object.keys(step.args).filter((name) => !positional.includes(name))
  const args = [
    ...positional.flatMap((name) => getOwnMember(step.args, name) ?? []).map(expression),
    ...namedArguments.map((name) => `${name}=${expression(step.args[name] as Expr)}`),
  ]
  return `${step.kind === 'function' ? step.name : step.api}(${args.join(', ')})`
}

/** `response` is the name of an answer that isn’t read yet; what a step binds is the JSON in it. */
function pushStepLines(out: CodeText, step: ProgramStep, response: string) {
  if (!isCall(step)) return void out.push(`${reference(step.target)} = ${expression(step.value)}`)
  if (step.kind !== 'http')
    return void out.push(step.binds ? `${step.binds} = ${emitPythonCall(step)}` : emitPythonCall(step))
  if (!step.binds) return void out.push(`${emitPythonHttpCall(step)}.raise_for_status()`)
  out
    .push(`${response} = ${emitPythonHttpCall(step)}`)
    .push(`${response}.raise_for_status()`)
    .push(`${step.binds} = ${response}.json()`)
}

const emitPythonTest = ({ variable, path, measure, equals }: Condition) => {
  const left = reference({ variable, path: [...path] })
  return `${measure === 'count' ? `len(${left})` : left} == ${equals}`
}

function findUnusedName({ variables }: Program, steps: readonly ProgramStep[]): string {
  const takenNames = new Set([
    ...variables.map(({ name }) => name),
    ...steps.flatMap((step) => (isCall(step) && step.binds ? [step.binds] : [])),
  ])
  let name = 'response'
  while (takenNames.has(name)) name += '_'
  return name
}

export const python: CodeEmitter = {
  language: 'python',
  emit(program: Program) {
    const out = new CodeText('    ')
    const written = listWrittenSteps(program)
    const response = findUnusedName(program, written)
    const block = ({ steps, result, branch }: StepBlock): CodeText => {
      for (const step of steps) pushStepLines(out, step, response)
      if (!branch)
        return out.push(`RESULT = ${emitDict(result.map(({ key, value }) => [key, reference(value)]))}`)
      out.push(`if ${emitPythonTest(branch.condition)}:`).indent()
      block(branch.then).outdent().push('else:').indent()
      return block(branch.otherwise).outdent()
    }
    const modules = listModules(written, 'requests')
    for (const name of modules) out.push(`import ${name}`)
    if (modules.length > 0) out.push('')
    return block(getRootBlock(program)).toString()
  },
}
