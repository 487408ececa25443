/**
 * A program reduced to what asks the first request. What comes behind is excess, and what is done with the
 * response isn't judged (WAPIIBench, section II-C): both are left out where that can't change the request.
 */
import type { AnyNode, Program } from 'acorn'
import { hasAxiosDeclaration, findFirstCall, type FoundCall } from './calls.ts'
import { isFunction, buildUnwrapping } from './wrappers.ts'

const requireAxios = "const axios = require('axios');\n"

/**
 * Code that names axios and calls nothing that is known as it: whether it asks for something shows when it
 * runs.
 */
export const readAsItIs = (text: string, program: Program): string | null =>
  /\baxios\b/.test(removeRequires(text, program)) ? withAxios(text, program) : null

/** Null where nothing in it calls axios. */
export function reduceProgram(text: string, program: Program): string | null {
  const first = findFirstCall(program)
  if (!first) return null
  const at = program.body.findIndex((node) => node.start <= first.call.start && first.call.end <= node.end)
  const statement = program.body[at]!
  const before = program.body.slice(0, at).filter((node) => !isPlainRequire(text, node))
  const head = before.map((node) => text.slice(node.start, node.end)).join('\n')
  if (!first.around.some(isFunction)) {
    const callText = isDirect(statement, first)
      ? `${text.slice(first.call.start, first.call.end)};\n`
      : `${text.slice(statement.start, statement.end)}\n`
    // Functions below are known above them.
    const later = program.body.slice(at + 1).filter(({ type }) => type === 'FunctionDeclaration')
    const tail = later.map((node) => `${text.slice(node.start, node.end)}\n`).join('')
    return withAxios((head && `${head}\n`) + callText + tail, program)
  }
  return withAxios(text + buildUnwrapping(text, program, first.around), program)
}

/**
 * Tells whether a statement is nothing but the call, awaited, named or followed by handlers of its response.
 */
function isDirect(statement: AnyNode, { call, around }: FoundCall): boolean {
  const path = [...around.slice(around.indexOf(statement)), call as AnyNode]
  return path.slice(0, -1).every((node, n) => {
    const next = path[n + 1]!
    switch (node.type) {
      case 'ExpressionStatement':
      case 'AwaitExpression':
      case 'ParenthesizedExpression':
      case 'ReturnStatement':
        return true
      case 'VariableDeclaration':
        return node.declarations.length === 1
      case 'VariableDeclarator':
        return node.init === next
      case 'CallExpression':
        return node.callee === next
      case 'MemberExpression':
        return (
          node.object === next &&
          node.property.type === 'Identifier' &&
          ['then', 'catch', 'finally', 'data'].includes(node.property.name)
        )
      default:
        return false
    }
  })
}

const isPlainRequire = (text: string, node: AnyNode) =>
  /^(const|let|var) axios = require\((['"])axios\2\);?$/.test(text.slice(node.start, node.end))
const removeRequires = (text: string, program: Program) =>
  program.body
    .filter((node) => !isPlainRequire(text, node))
    .map((node) => text.slice(node.start, node.end))
    .join('\n')
const withAxios = (code: string, program: Program) =>
  hasAxiosDeclaration(program) &&
  /\b(require|import)\b/.test(code) &&
  /(require\((['"])axios\2\)|from\s*(['"])axios\3)/.test(code)
    ? code
    : requireAxios + code
