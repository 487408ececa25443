/** Finds calls of axios in parsed code: of axios itself, of its methods, of its instances. */
import type { AnyNode, CallExpression, MemberExpression, Program } from 'acorn'
import { visit } from './syntax.ts'

export const methods: ReadonlySet<string> = new Set([
  'get',
  'delete',
  'head',
  'options',
  'post',
  'put',
  'patch',
  'postForm',
  'putForm',
  'patchForm',
  'request',
])

export interface FoundCall {
  call: CallExpression
  /** Its ancestors in the syntax tree, outermost first. */
  around: readonly AnyNode[]
}

/** The first call in the order of the text, null where there is none. */
export function findFirstCall(program: Program): FoundCall | null {
  const names = collectAxiosNames(program)
  let first: FoundCall | null = null
  visit(program, (node, around) => {
    if (node.type !== 'CallExpression' || !isAsking(node, names)) return
    if (
      !first ||
      node.start < first.call.start ||
      (node.start === first.call.start && node.end > first.call.end)
    )
      first = { call: node, around: [...around] }
  })
  return first
}

function isAsking({ callee }: CallExpression, names: ReadonlySet<string>): boolean {
  if (callee.type === 'Identifier') return names.has(callee.name)
  if (callee.type !== 'MemberExpression' || !methods.has(getMemberName(callee) ?? '')) return false
  const { object } = callee
  if (object.type === 'Identifier') return names.has(object.name)
  // axios.create(…).get(…), axios.default.get(…)
  if (object.type === 'CallExpression') return isCreate(object, names)
  return (
    object.type === 'MemberExpression' &&
    object.object.type === 'Identifier' &&
    names.has(object.object.name) &&
    getMemberName(object) === 'default'
  )
}

/** `axios.get` and `axios['get']` have the same member; null where it shows only when it runs. */
export function getMemberName({ property, computed }: MemberExpression): string | null {
  if (!computed) return property.type === 'Identifier' ? property.name : null
  if (property.type === 'Literal') return String(property.value)
  return property.type === 'TemplateLiteral' && property.expressions.length === 0
    ? (property.quasis[0]?.value.cooked ?? null)
    : null
}

const isCreate = (node: AnyNode | null | undefined, names: ReadonlySet<string>): boolean =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  node.callee.object.type === 'Identifier' &&
  names.has(node.callee.object.name) &&
  getMemberName(node.callee) === 'create'

const isRequire = (node: AnyNode | null | undefined): boolean =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'Identifier' &&
  node.callee.name === 'require' &&
  node.arguments[0]?.type === 'Literal' &&
  node.arguments[0].value === 'axios'

/** Names that stand for axios or an instance of it. */
function collectAxiosNames(program: Program): Set<string> {
  const names = new Set(['axios'])
  visit(program, (node) => {
    if (node.type === 'ImportDeclaration' && node.source.value === 'axios')
      for (const one of node.specifiers)
        if (one.type !== 'ImportSpecifier' || methods.has(one.local.name)) names.add(one.local.name)
    if (node.type !== 'VariableDeclarator' || !node.init) return
    const { init, id } = node
    const value = init.type === 'MemberExpression' ? init.object : init
    const is =
      isCreate(init, names) || isRequire(value) || (init.type === 'Identifier' && names.has(init.name))
    if (is && id.type === 'Identifier') names.add(id.name)
    if (is && id.type === 'ObjectPattern')
      for (const one of id.properties)
        if (one.type === 'Property' && one.value.type === 'Identifier') names.add(one.value.name)
  })
  return names
}

/** Tells whether the program declares the name axios itself. */
export function hasAxiosDeclaration(program: Program): boolean {
  return program.body.some((node) =>
    node.type === 'ImportDeclaration'
      ? node.specifiers.some(({ local }) => local.name === 'axios')
      : node.type === 'VariableDeclaration' &&
        node.declarations.some(({ id }) => id.type === 'Identifier' && id.name === 'axios'),
  )
}
