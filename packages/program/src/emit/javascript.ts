/**
 * Emits idiomatic JavaScript: a script with top-level await that calls HTTP APIs with axios, tools, and
 * functions of modules.
 */
import {
  type StepBlock,
  type Condition,
  type Expr,
  type FunctionCall,
  type HttpCall,
  type Literal,
  getOwnMember,
  type Program,
  type ProgramStep,
} from '@stateeval/contracts'
import { getRootBlock, listWrittenSteps } from '../blocks.ts'
import { isCall, type ValuePath } from '../expr.ts'
import { isTensorLike } from '../tensor/value.ts'
import { CodeText } from './code-text.ts'
import { listModules } from './modules.ts'
import type { CodeEmitter } from './emitter.ts'
import { writeExpressions } from './expression.ts'

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/

const emitMemberPath = (path: ValuePath) =>
  path
    .map((key) =>
      typeof key === 'number' ? `[${key}]` : identifier.test(key) ? `.${key}` : `[${emitString(key)}]`,
    )
    .join('')

/**
 * The one place where strings are escaped: JSON text, single-quoted where that is plain. U+2028/9 are legal
 * in strings.
 */
const emitString = (value: string) => (/^[^'"\\\p{C}]*$/u.test(value) ? `'${value}'` : JSON.stringify(value))

function emitJson(value: Literal['value']): string {
  if (typeof value === 'string') return emitString(value)
  if (Array.isArray(value)) return `[${value.map(emitJson).join(', ')}]`
  if (isTensorLike(value)) return `torch.zeros(${emitJson((value.$tensor as { shape: number[] }).shape)})`
  if (value !== null && typeof value === 'object')
    return emitRecord(Object.entries(value).map(([key, item]) => [key, emitJson(item)]))
  return JSON.stringify(value)
}
/** `__proto__` in a literal would set the prototype; computed, it is an ordinary key. */
const emitKey = (name: string) =>
  name === '__proto__' ? "['__proto__']" : identifier.test(name) ? name : emitString(name)
/** `{ null }` is no shorthand, and neither is a key that is spelled like its constant, such as `{ 1 }`. */
const isShorthand = (name: string, value: string) =>
  name === value && identifier.test(name) && !['null', 'true', 'false'].includes(name)
const emitRecord = (entries: [string, string][]) =>
  entries.length === 0
    ? '{}'
    : `{ ${entries.map(([name, value]) => (isShorthand(name, value) ? name : `${emitKey(name)}: ${value}`)).join(', ')} }`

const { reference, expression } = writeExpressions({
  literal: emitJson,
  member: emitMemberPath,
  record: emitRecord,
  text: (code) => `String(${code})`,
})

function emitUrl(call: HttpCall): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const arg = call.args[name] as Expr
    if (arg.kind === 'literal') return encodeURIComponent(String(arg.value)).replace(/[`$\\]/g, '\\$&')
    return `\${${expression(arg)}}`
  })
  return `\`\${BASE_URL}${path}\``
}

function emitHttpCall(call: HttpCall): string {
  const args = [emitUrl(call)]
  const config: [string, string][] = []
  // axios takes the body of a GET or DELETE from its config.
  const hasBodyArgument = call.method !== 'GET' && call.method !== 'DELETE'
  if (call.body !== undefined) {
    const body = expression(call.args[call.body] as Expr)
    if (hasBodyArgument) args.push(body)
    else config.push(['data', body])
  }
  if (call.query?.length) {
    if (call.body === undefined && hasBodyArgument) args.push('undefined')
    config.push(['params', emitRecord(call.query.map((name) => [name, expression(call.args[name] as Expr)]))])
  }
  if (config.length > 0) args.push(emitRecord(config))
  return `axios.${call.method.toLowerCase()}(${args.join(', ')})`
}

const emitNamedArguments = (args: [string, Expr][]) =>
  emitRecord(args.map(([arg, value]) => [arg, expression(value)]))

/** Arguments by position; those that go by name stand in an object after them. */
function emitFunctionCall({ name, args, positional = [] }: FunctionCall): string {
  const first = positional.flatMap((arg) => getOwnMember(args, arg) ?? []).map(expression)
  const options = Object.entries(args).filter(([arg]) => !positional.includes(arg))
  return `${name}(${[...first, ...(options.length > 0 ? [emitNamedArguments(options)] : [])].join(', ')})`
}

function emitStepLine(step: ProgramStep, variableNames: ReadonlySet<string>): string {
  if (!isCall(step)) {
    // A constant in place of a call's output is bound here.
    const isBound = step.target.path.length > 0 || variableNames.has(step.target.variable)
    return `${isBound ? '' : 'const '}${reference(step.target)} = ${expression(step.value)}`
  }
  switch (step.kind) {
    case 'http':
      return step.binds
        ? `const ${step.binds} = (await ${emitHttpCall(step)}).data`
        : `await ${emitHttpCall(step)}`
    case 'function':
    case 'tool': {
      const call =
        step.kind === 'function'
          ? emitFunctionCall(step)
          : `await ${step.api}(${emitNamedArguments(Object.entries(step.args))})`
      return step.binds ? `const ${step.binds} = ${call}` : call
    }
  }
}

const emitTest = ({ variable, path, measure, equals }: Condition) =>
  `${reference({ variable, path: [...path] })}${measure === 'count' ? '.length' : ''} === ${equals}`

function emitBlock(
  out: CodeText,
  { steps, result, branch }: StepBlock,
  variableNames: ReadonlySet<string>,
): CodeText {
  for (const step of steps) out.push(`${emitStepLine(step, variableNames)};`)
  if (branch) {
    out.push(`if (${emitTest(branch.condition)}) {`).indent()
    emitBlock(out, branch.then, variableNames)
    out.outdent().push('} else {').indent()
    emitBlock(out, branch.otherwise, variableNames)
    return out.outdent().push('}')
  }
  return out.push(`RESULT = ${emitRecord(result.map(({ key, value }) => [key, reference(value)]))};`)
}

export const javascript: CodeEmitter = {
  language: 'javascript',
  emit(program: Program) {
    const out = new CodeText('  ')
    const variableNames = new Set(program.variables.map(({ name }) => name))
    const modules = listModules(listWrittenSteps(program), 'axios')
    for (const name of modules) out.push(`const ${name} = require('${name}');`)
    if (modules.length > 0) out.push('')
    return emitBlock(out, getRootBlock(program), variableNames).toString()
  },
}
