/**
 * Table I by the definitions of the analyser that StateEval's authors released, which reads Python. A call is
 * a dotted name on a line that is assigned, stands alone, is iterated over or opens a `with`: methods of
 * responses count, calls in the test of an if don't, nor do Python's own functions. A variable comes from an
 * API if such a call, or a variable that does, is in the expression that sets it.
 */
import { type LogicalLine, type ProgramToken, readLogicalLines } from '../python-lines.ts'

interface ReleasedMeasures {
  functionCalls: number
  /** The longest simple path in the graph of bindings, in edges. */
  pathDepth: number
  /** Distinct pairs of a variable from an API that a call reads and the variable that the call sets. */
  bindingCount: number
}

/** Names that the analyser takes for Python's own: built-in functions, modules, and those of `math`. */
const ownNames = new Set(
  `abs all any bool bytes dict dir divmod enumerate filter float format frozenset getattr hasattr hash id input int isinstance
   issubclass iter len list map max min next object open ord pow print range repr reversed round set setattr slice sorted str
   sum super tuple type vars zip json math re os sys time datetime random itertools functools collections copy typing string
   ceil floor sqrt exp log sin cos tan fabs gcd prod dist hypot comb perm trunc`.split(/\s+/),
)
const words = new Set('False None True and as await else for if in is lambda not or'.split(' '))

interface WrittenCall {
  name: string
  /** The places of its name's first token and of its closing bracket. */
  from: number
  close: number
}

export function measureReleased(code: string): ReleasedMeasures {
  const calls = new Set<string>()
  const edges = new Map<string, Set<string>>()
  const fromApi = new Set<string>()
  for (const line of readLogicalLines(code)) {
    const { target, isPart, value } = splitStatement(line)
    const written = listCalls(value)
    for (const { name } of written) calls.add(`${name} ${line.number}`)
    if (target === undefined) continue
    const names = listNames(value)
    const direct = written.find(({ from, close }) => from === 0 && close === value.length - 1)
    if (direct && !isPart) {
      for (const source of names)
        if (fromApi.has(source)) edges.set(source, (edges.get(source) ?? new Set()).add(target))
    }
    if (written.length > 0 || names.some((name) => fromApi.has(name))) fromApi.add(target)
  }
  const bindingCount = [...edges.values()].reduce((sum, { size }) => sum + size, 0)
  return { functionCalls: calls.size, pathDepth: findLongestPath(edges), bindingCount }
}

/** What a statement sets and from which expression; no tokens if the analyser doesn't look at it. */
function splitStatement({ tokens }: LogicalLine): {
  target?: string
  /** True if only a part of the target is set. */
  isPart: boolean
  value: readonly ProgramToken[]
} {
  const first = tokens[0]?.text ?? ''
  const isBlock = tokens.at(-1)?.text === ':'
  if (isBlock && first === 'for') {
    const at = tokens.findIndex(({ text }) => text === 'in')
    return { target: tokens[1]?.text, isPart: false, value: tokens.slice(at + 1, -1) }
  }
  if (isBlock && first === 'with') {
    const at = tokens.findLastIndex(({ text }) => text === 'as')
    return at < 0
      ? { isPart: false, value: tokens.slice(1, -1) }
      : { target: tokens[at + 1]?.text, isPart: false, value: tokens.slice(1, at) }
  }
  if (isBlock || first === 'import' || first === 'from') return { isPart: false, value: [] }
  let depth = 0
  const equals = tokens.findIndex(({ text }) => {
    if ('([{'.includes(text)) depth++
    if (')]}'.includes(text)) depth--
    return depth === 0 && text === '='
  })
  if (equals < 0) return { isPart: false, value: tokens }
  return { target: first, isPart: equals > 1, value: tokens.slice(equals + 1) }
}

/** The calls in an expression that count. */
function listCalls(tokens: readonly ProgramToken[]): WrittenCall[] {
  const calls: WrittenCall[] = []
  const open: (WrittenCall | null)[] = []
  for (const [at, { text, kind }] of tokens.entries()) {
    if (kind === 'string') continue
    if ('([{'.includes(text)) {
      const from = text === '(' ? findNameStart(tokens, at) : at
      const name = tokens
        .slice(from, at)
        .map((token) => token.text)
        .join('')
      open.push(from < at && isForeign(name) ? { name, from, close: at } : null)
    } else if (')]}'.includes(text)) {
      const call = open.pop()
      if (call) calls.push({ ...call, close: at })
    }
  }
  return calls
}

/** Where the dotted name before a bracket begins; the bracket's own place if none does. */
function findNameStart(tokens: readonly ProgramToken[], open: number): number {
  let at = open
  while (tokens[at - 1]?.kind === 'name' && !words.has(tokens[at - 1]!.text)) {
    at--
    if (tokens[at - 1]?.text !== '.') return at
    at--
  }
  return at === open ? open : at + 1
}
const isForeign = (name: string) => !ownNames.has(name) && !ownNames.has(name.split('.')[0]!)

/** The variables that an expression reads, also in the braces of its f-strings. */
const listNames = (tokens: readonly ProgramToken[]): string[] =>
  tokens.flatMap(({ kind, text }, at) => {
    if (kind === 'string') return /^[rR]?[fF]/.test(text) ? listBraces(text) : []
    const isKeyword = tokens[at + 1]?.text === '=' || tokens[at - 1]?.text === '.'
    return kind === 'name' && !words.has(text) && !isKeyword ? [text] : []
  })
const listBraces = (text: string) =>
  [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([, code]) =>
    listNames(readLogicalLines(code!).flatMap(({ tokens }) => tokens)),
  )

/** The longest simple path of a graph, in edges: small graphs, so every path is walked. */
function findLongestPath(edges: ReadonlyMap<string, ReadonlySet<string>>): number {
  const seen = new Set<string>()
  const walk = (node: string): number => {
    seen.add(node)
    let longest = 0
    for (const next of edges.get(node) ?? []) if (!seen.has(next)) longest = Math.max(longest, 1 + walk(next))
    seen.delete(node)
    return longest
  }
  return Math.max(0, ...[...edges.keys()].map(walk))
}
