/**
 * acorn with an explicit bound on nesting. acorn recurses and fails where the stack ends. That depth
 * depends on the engine's optimisations and on the caller's depth, so the same code would parse now and
 * fail later. Here depth is counted, with a limit far below the end of the stack.
 */
import { type Options, Parser, type Program } from 'acorn'

/**
 * Longer code is not parsed while others wait, because some texts take a parser seconds. In UTF-16 units.
 */
export const maxParsed = 32_768

/** The code may be valid, but is nested deeper than real programs. */
export class TooDeep extends SyntaxError {
  override name = 'TooDeep'
}

/**
 * Stack that each recursive method of acorn takes while it runs. All methods take about the same stack for a
 * unit: a level of brackets costs 8 to 12, an operator in a row of operators 2.
 */
const units = {
  parseStatement: 4,
  parseMaybeAssign: 4,
  parseMaybeUnary: 4,
  parseExprAtom: 4,
  parseBindingAtom: 4,
  parseExprOp: 2,
}
/**
 * Some 160 levels of brackets, or 1,000 operators in a row: half of what there is stack for where nothing is
 * optimised.
 */
const maxDepth = 2_000
const maxGroups = 200

type ParserMethod = (...values: unknown[]) => unknown
type ParserMethods = Record<
  keyof typeof units | 'validateRegExpPattern' | 'enterScope' | 'nextToken',
  ParserMethod
>
declare module 'acorn' {
  /** Members that the types leave out and this file uses. */
  interface Parser extends ParserMethods {
    type: { label: string }
    scopeStack: Record<'var' | 'lexical' | 'functions', string[]>[]
  }
}

/** acorn's parser; throws a `TooDeep` if code is nested too deeply. */
export class BoundedParser extends Parser {
  depth = 0

  /** acorn's own, for everybody. */
  constructor(options: Options, code: string, startPos?: number) {
    super(options, code, startPos)
  }
}

const theirs = Parser.prototype
const ours = BoundedParser.prototype
for (const [name, cost] of Object.entries(units) as [keyof typeof units, number][]) {
  const method = theirs[name]
  ours[name] = function (this: BoundedParser, a, b, c, d, e) {
    this.depth += cost
    if (this.depth > maxDepth) throw new TooDeep('the code is nested too deeply')
    const node = method.call(this, a, b, c, d, e)
    this.depth -= cost
    return node
  }
}
ours.validateRegExpPattern = function (this: BoundedParser, state) {
  if (countNestedGroups((state as { source: string }).source) > maxGroups)
    throw new TooDeep('a regular expression is nested too deeply')
  return theirs.validateRegExpPattern.call(this, state)
}

/**
 * The names that a scope declares. acorn looks for each new name in the list, and for each exported one: here
 * that takes the same time however many there are. It asks only whether a name is there, and which is the
 * first.
 */
class DeclaredNames extends Array<string> {
  #known: Set<string> | null = null
  override push(name: string): number {
    this.#known?.add(name)
    return super.push(name)
  }
  override indexOf(name: string): number {
    if (this.length < fewNames) return super.indexOf(name)
    this.#known ??= new Set(this)
    return this.#known.has(name) ? 0 : -1
  }
}
/** So few are looked through at least as fast. */
const fewNames = 16

ours.enterScope = function (this: BoundedParser, flags) {
  theirs.enterScope.call(this, flags)
  Object.assign(this.scopeStack.at(-1)!, {
    var: new DeclaredNames(),
    lexical: new DeclaredNames(),
    functions: new DeclaredNames(),
  })
}

/** How deep groups and classes of a pattern are nested, at most. */
function countNestedGroups(pattern: string): number {
  let [depth, deepest] = [0, 0]
  for (const [character] of pattern.matchAll(/\\.|[([)\]]/gs)) {
    if (character === '(' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === ')' || character === ']') depth--
  }
  return deepest
}

/**
 * Like acorn's `parse`. Throws a SyntaxError with `loc` for broken code, or a `TooDeep` if it is nested too
 * deeply.
 */
export function parse(code: string, options: Options): Program {
  return BoundedParser.parse(code, options)
}
