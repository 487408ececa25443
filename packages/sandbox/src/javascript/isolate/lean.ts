/**
 * Reduces the initial text of every isolate. Each object at its top level is created in both contexts of
 * each isolate, whether a program uses it or not. A function that is never called costs almost nothing.
 */
import { type AnyNode, type Node, parse, type Program, type Statement } from 'acorn'
import { Edits } from '../program/edits.ts'
import { walk } from '../program/walk.ts'

/** What axios sends requests with: made when the first one is sent. Captured requests don't need it. */
const adapters = ['httpAdapter', 'getFetch'] as const
/** There is no XMLHttpRequest, so it is false; saying so frees what only it needs. */
const never = 'xhrAdapter'

/**
 * Objects with many members, each of which was added to a map of its own: as dictionaries they have one.
 * Members, their order and what they are stay as they were.
 */
const large = ['utils$1', 'HttpStatusCode'] as const

/** `code` is the bundle; throws if axios no longer contains the expected text. */
export function lean(code: string): string {
  return withLazyAdapters(withPlainNamespaces(code))
}

/**
 * The bundler gives a module that is required an object of getters, and copies it into another one: four
 * objects and a transition of a map for each name. The modules here never change what they export.
 */
function withPlainNamespaces(code: string): string {
  const edits: readonly (readonly [RegExp, string])[] = [
    [
      /var __export = \(target, all\) => \{[\s\S]*?\n {2}\};/,
      'var __export = (target, all) => void (target.all = all);',
    ],
    [
      /var __toCommonJS = \(mod\) => .*;/,
      `var __toCommonJS = (mod) => {
    const { all } = mod;
    mod.all = undefined;
    if (all !== undefined) for (const name in (mod.plain = Object.create(null), all)) mod.plain[name] = all[name]();
    return mod.plain;
  };`,
    ],
    [/var __toESM = [\s\S]*?\n {2}\)\);/, 'var __toESM = (mod) => ({ default: mod });'],
  ]
  return edits.reduce((text, [pattern, instead]) => {
    if (!pattern.test(text))
      throw new Error(`the bundler no longer writes ${pattern.source}: isolate/lean.ts must follow`)
    return text.replace(pattern, () => instead)
  }, code)
}

function withLazyAdapters(code: string): string {
  const body = axiosBody(parse(code, { ecmaVersion: 'latest' }))
  const parts = body.map((statement) => ({
    statement,
    declares: declared(statement),
    needs: used(statement),
  }))
  const declaring = (name: string) => {
    const index = parts.findIndex(({ declares }) => declares.includes(name))
    if (index < 0) throw new Error(`axios no longer has ${name}: isolate/lean.ts must follow`)
    return index
  }
  const targets = adapters.map(declaring)
  const unused = declaring(never)
  const reached = (from: readonly number[], not: ReadonlySet<number>) => {
    const partIndexes = new Set<number>()
    for (const open = [...from]; open.length > 0;) {
      const next = open.pop()!
      if (partIndexes.has(next) || not.has(next)) continue
      partIndexes.add(next)
      parts.forEach(
        ({ declares }, at) => declares.some((name) => parts[next]!.needs.has(name)) && open.push(at),
      )
    }
    return partIndexes
  }
  const cutParts = new Set([...targets, unused])
  // What declares nothing is there for what it does; the rest counts where something that stays needs it.
  const staying = reached(
    parts.flatMap(({ declares }, at) => (declares.length === 0 ? [at] : [])),
    cutParts,
  )
  const lazy = [...reached(targets, new Set([unused]))].filter((at) => !staying.has(at)).sort((a, b) => a - b)
  const edits = new Edits(code)
  const textOf = (at: number) => code.slice(parts[at]!.statement.start, parts[at]!.statement.end)
  for (const at of [...lazy, unused]) edits.replace(parts[at]!.statement.start, parts[at]!.statement.end, '')
  const first = parts[unused]!.statement.start
  const makeCode = `let __made; const __make = () => __made ??= (() => { ${lazy.map(textOf).join('\n')}\nreturn { ${adapters.join(', ')} } })();`
  const stands = adapters.map((name) => `const ${name} = (config) => __make().${name}(config);`).join(' ')
  const dictionary = 'const __dictionary = (it) => { it.__a = it.__b = 0; delete it.__a; delete it.__b; };'
  const last = parts.at(-1)!.statement.end
  large.forEach(declaring)
  edits.insert(
    last,
    `;${dictionary}${[...large, 'module.exports'].map((name) => `__dictionary(${name});`).join('')}`,
  )
  edits.insert(first, `${makeCode} ${stands} const ${never} = false;`)
  return edits.apply()
}

/** The statements of axios's own file in the bundle. */
function axiosBody(program: Program): Statement[] {
  let body: Statement[] | undefined
  walk(program, (node) => {
    if (
      node.type !== 'Property' ||
      node.key.type !== 'Literal' ||
      !/axios\.cjs$/.test(String(node.key.value))
    )
      return
    if (node.value.type === 'FunctionExpression') body = node.value.body.body
  })
  if (!body) throw new Error('the bundle has no axios.cjs: isolate/lean.ts must follow')
  return body
}

function declared(statement: Statement): string[] {
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
    return [statement.id.name]
  if (statement.type !== 'VariableDeclaration') return []
  const names: string[] = []
  for (const { id } of statement.declarations)
    walk(id, (node) => void (node.type === 'Identifier' && names.push(node.name)))
  return names
}

/** Names that a statement mentions, but for those of properties. More than it needs does no harm. */
function used(statement: Statement): Set<string> {
  const names = new Set<string>()
  walk(statement, (node, parent) => {
    if (node.type === 'Identifier' && !isName(node, parent)) names.add(node.name)
  })
  return names
}
const isName = (node: Node, parent: AnyNode) =>
  (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
  (parent.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand)
