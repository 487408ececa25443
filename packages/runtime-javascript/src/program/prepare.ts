/**
 * Candidate code as models write it, made ready to run: parsed, wrapped into an async function so that
 * `await` and `return` work at top level and a redeclared variable shadows its global, RESULT found wherever
 * it is declared, imports turned into calls. Lines never move, so that line numbers in errors are the
 * candidate's own.
 */
import type { CapturedError } from '@stateeval/contracts'
import { parse, TooDeep } from '@stateeval/javascript'
import type { AnyNode, Options, Program, VariableDeclaration } from 'acorn'
import { TextEdits } from './edits.ts'
import { rewriteModule } from './module-syntax.ts'
import { listVarNames, walk } from './walk.ts'
import { importName, metaName, reportName } from './names.ts'
import type { PreparedCode } from '@stateeval/runtime'

const options: Options = {
  ecmaVersion: 'latest',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
}

/**
 * `globals` are the names that the run defines: a `var` with the same name starts with the global's value,
 * as in a script.
 */
export function prepare(code: string, globals: readonly string[]): PreparedCode {
  if (code.trim() === '')
    return createRefusal('no_code', { name: 'NoCode', message: 'The answer has no code' })
  try {
    return createPrepared(code, parseEither(code), globals)
  } catch (error) {
    return createRefusal('syntax', describeSyntaxError(error))
  }
}

/**
 * A script where it can be one; a module where it has import or export. A script's own error is the more
 * telling one.
 */
function parseEither(code: string): Program {
  try {
    return parse(code, { ...options, sourceType: 'script' })
  } catch (asScript) {
    try {
      return parse(code, { ...options, sourceType: 'module' })
    } catch (asModule) {
      throw /'import'|'export'|import\.meta/.test(String(asScript)) ? asModule : asScript
    }
  }
}

function createPrepared(code: string, program: Program, globals: readonly string[]): PreparedCode {
  const edits = new TextEdits(code)
  if (code.startsWith('#!')) edits.replace(0, 2, '//')
  const hoisted = program.sourceType === 'module' ? rewriteModule(program, edits) : ''
  walk(program, (node, parent) => {
    if (node.type === 'VariableDeclaration') insertResultReport(node, parent, edits)
    else if (node.type === 'ImportExpression')
      edits.replace(node.start, node.start + 'import'.length, importName)
    else if (node.type === 'MetaProperty' && node.meta.name === 'import')
      edits.replace(node.start, node.end, metaName)
  })
  const shadowed = listVarNames(program).filter((name) => globals.includes(name))
  const strict =
    program.sourceType === 'module' ||
    (program.body[0]?.type === 'ExpressionStatement' && program.body[0].directive === 'use strict')
  const head = `(async function(){${strict ? "'use strict';" : ''}${shadowed.map((name) => `var ${name}=globalThis.${name};`).join('')}${hoisted}`
  return { status: 'ready', source: `${head}${edits.apply()}\n})`, columnOffset: -head.length }
}

/** After a declaration of RESULT, a call that tells the runner how to read it. */
function insertResultReport(node: VariableDeclaration, parent: AnyNode, edits: TextEdits) {
  if (!node.declarations.some(({ id }) => isResultBinding(id))) return
  // The head of a loop: that name lives for one turn.
  if (parent.type.startsWith('For') && 'body' in parent && parent.body !== node) return
  const top = parent.type === 'Program' || parent.type.startsWith('Export')
  const call = `;${reportName}(()=>RESULT,${top});`
  const inList =
    top || parent.type === 'BlockStatement' || parent.type === 'StaticBlock' || parent.type === 'SwitchCase'
  if (inList) edits.insert(node.end, call)
  else edits.wrap(node.start, node.end, '{', `${call}}`)
}

/** `RESULT` or a pattern that binds it. */
function isResultBinding(pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return false
  const node = pattern as {
    type: string
    name?: string
    properties?: { type: string; value?: unknown; argument?: unknown }[]
    elements?: unknown[]
    left?: unknown
    argument?: unknown
  }
  switch (node.type) {
    case 'Identifier':
      return node.name === 'RESULT'
    case 'ObjectPattern':
      return node.properties!.some((property) =>
        isResultBinding(property.type === 'RestElement' ? property : property.value),
      )
    case 'ArrayPattern':
      return node.elements!.some(isResultBinding)
    case 'AssignmentPattern':
      return isResultBinding(node.left)
    case 'RestElement':
      return isResultBinding(node.argument)
    default:
      return false
  }
}

const createRefusal = (reason: 'syntax' | 'no_code', error: CapturedError): PreparedCode => ({
  status: 'refused',
  reason,
  error,
})

function describeSyntaxError(error: unknown): CapturedError {
  if (error instanceof TooDeep) return { name: 'SyntaxError', message: 'The code is nested too deeply' }
  const { message, loc } = error as { message: string; loc?: { line: number } }
  return { name: 'SyntaxError', message: message.slice(0, 4000), ...(loc && { line: loc.line }) }
}
