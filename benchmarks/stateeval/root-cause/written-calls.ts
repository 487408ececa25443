/**
 * The calls that a program's text writes, where no world logs them: functions that compute in the program
 * itself. The state machine replays them, so that each has its true output. Null where the text doesn't say
 * which calls are made: loops, and functions of its own.
 */
import type { JsonValue } from '@stateeval/contracts'

/** A function with its parameters in the order of positions. */
interface WrittenFunction {
  api: string
  parameters: readonly string[]
}
export interface WrittenCall {
  api: string
  args: Record<string, JsonValue>
  /** Parameters whose arguments the text doesn't tell. */
  unread: readonly string[]
  text: string
  status: number
  output: JsonValue | undefined
}
/** What a call with these arguments gives; undefined where it fails. */
type ReplayCall = (api: string, args: Record<string, JsonValue>) => JsonValue | undefined

/** More calls than any reference makes. */
const maxCalls = 100
const maxCodeLength = 20_000
/** Lists of literals are nested no deeper. */
const maxDepth = 8

/** undefined stands for a value that the text doesn't tell. */
type ReadValue = JsonValue | undefined

interface CallSite {
  api: string
  /** Where the chain begins, `torch.nn.functional.conv2d`, and what stands before the name. */
  start: number
  receiver: string
  open: number
  close: number
}

export function readWrittenCalls(
  code: string,
  functions: readonly WrittenFunction[],
  variables: Readonly<Record<string, JsonValue>>,
  replay: ReplayCall,
): WrittenCall[] | null {
  if (code.length > maxCodeLength) return null
  const text = blankTexts(code)
  if (/\b(?:for|while|def|function|lambda|class)\b|=>/.test(text)) return null
  const parameters = new Map(functions.map((one) => [one.api, one.parameters]))
  const sites = listCallSites(text, [...parameters.keys()])
  if (!sites) return null
  const scope = new Map<string, ReadValue>(Object.entries(variables))
  const calls: WrittenCall[] = []
  const outputs = new Map<number, ReadValue>()
  const reader = new ValueReader(code, text, scope, sites, outputs)
  const isBranching = /\bif\b|\?/.test(text)
  const assigned = new Set<string>()
  const events = [
    ...sites.map((site) => ({ at: site.close, site, assignment: null })),
    ...listAssignments(text).map((assignment) => ({ at: assignment.end, site: null, assignment })),
  ].toSorted((one, other) => one.at - other.at)
  for (const { site, assignment } of events) {
    if (site) {
      const { args, unread } = readArguments(reader, site, parameters.get(site.api) ?? [])
      const output = unread.length > 0 ? undefined : replay(site.api, args)
      outputs.set(site.start, output)
      calls.push({
        ...{ api: site.api, args, unread, output },
        text: code.slice(site.start, site.close + 1),
        status: unread.length === 0 && output === undefined ? 400 : 200,
      })
    } else {
      const value = reader.read(assignment.begin, assignment.end)
      for (const [at, name] of assignment.names.entries()) {
        const one = assignment.isUnpacked ? (Array.isArray(value) ? value[at] : undefined) : value
        // After two branches that set it, the text doesn't tell which of them ran.
        scope.set(name, assigned.has(name) && isBranching ? undefined : one)
        assigned.add(name)
      }
    }
  }
  return calls
}

/** The code with texts and comments blank, at equal places. */
function blankTexts(code: string): string {
  const isPython = !/\b(?:const|let|var)\b|\brequire\s*\(/.test(code)
  const comments = isPython ? '#[^\\n]*' : '\\/\\/[^\\n]*|\\/\\*(?:[^*]|\\*(?!\\/))*(?:\\*\\/)?'
  const texts = `'''(?:[^']|'(?!''))*(?:''')?|"""(?:[^"]|"(?!""))*(?:""")?|'(?:[^'\\\\\\n]|\\\\.)*'?|"(?:[^"\\\\\\n]|\\\\.)*"?|\`(?:[^\`\\\\]|\\\\[^])*\`?`
  // Quotes stay, so that a text is seen to be there.
  return code.replaceAll(new RegExp(`(${comments})|${texts}`, 'g'), (found: string, comment?: string) => {
    const blank = found.replaceAll(/[^\n]/g, ' ')
    return comment !== undefined || found.length < 2 ? blank : `${found[0]}${blank.slice(1, -1)}${found[0]}`
  })
}

const opening = '([{'
const closing = ')]}'

/** The place of the bracket that closes the one at `from`; -1 where none does. */
function findClosing(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (opening.includes(text[at]!)) depth++
    else if (closing.includes(text[at]!) && --depth === 0) return at
  }
  return -1
}

/** Null where brackets do not close, or where there are more calls than are read. */
function listCallSites(text: string, apis: readonly string[]): CallSite[] | null {
  const sites: CallSite[] = []
  const pattern = new RegExp(`(?<![\\w$])((?:[A-Za-z_$][\\w$]*\\.){0,6})(${apis.join('|')})\\s*\\(`, 'g')
  for (const found of text.matchAll(pattern)) {
    const [whole, receiver = '', api = ''] = found
    const open = found.index + whole.length - 1
    const close = findClosing(text, open)
    if (close < 0 || sites.length === maxCalls) return null
    // A method of a value that is computed in place: the text doesn't name it.
    const isDerived = text[found.index - 1] === '.'
    sites.push({ api, start: found.index, receiver: isDerived ? '?.' : receiver, open, close })
  }
  return sites
}

interface VariableAssignment {
  names: string[]
  isUnpacked: boolean
  begin: number
  end: number
}
/** Targets are at most so long. */
const maxTarget = 200

function listAssignments(text: string): VariableAssignment[] {
  const depths = measureDepths(text)
  const pattern = new RegExp(`(?<=^|[\\n;{}])[^=\\n;{}]{1,${maxTarget}}=(?![=>])`, 'g')
  return [...text.matchAll(pattern)].flatMap((found): VariableAssignment[] => {
    const target = found[0].slice(0, -1).trim()
    const begin = found.index + found[0].length
    // Inside brackets a sign of equality names an argument.
    if (depths[begin] !== 0 || /[!<>]$/.test(target)) return []
    const [, list] = /^(?:(?:const|let|var) )?[[(]?([\w$ ,]+)[\])]?$/.exec(target) ?? []
    const names = (list ?? target).match(/[A-Za-z_$][\w$]*/g) ?? []
    // What is changed in place, such as x += 1, has a value that is not read.
    if (list === undefined)
      return names.slice(0, 1).map((name) => ({ names: [name], isUnpacked: true, begin, end: begin }))
    return [{ names, isUnpacked: /[,[(]/.test(target), begin, end: findEnd(text, begin) }]
  })
}

/** How many round and square brackets are open before each place. */
function measureDepths(text: string): Uint16Array {
  const depths = new Uint16Array(text.length + 1)
  for (let at = 0; at < text.length; at++) {
    const change = '(['.includes(text[at]!) ? 1 : ')]'.includes(text[at]!) ? -1 : 0
    depths[at + 1] = Math.max(0, depths[at]! + change)
  }
  return depths
}

/** Where an expression ends: at its statement's end. */
function findEnd(text: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < text.length; at++) {
    const char = text[at]!
    if (opening.includes(char)) depth++
    else if (closing.includes(char) && depth-- === 0) return at
    else if (depth === 0 && (char === ';' || (char === '\n' && at > begin + 1))) return at
  }
  return text.length
}

/** Reads literals, variables, elements of lists, and outputs of calls. */
class ValueReader {
  readonly #code: string
  readonly #text: string
  readonly #scope: ReadonlyMap<string, ReadValue>
  readonly #sites: ReadonlyMap<number, CallSite>
  readonly #outputs: ReadonlyMap<number, ReadValue>

  constructor(
    code: string,
    text: string,
    scope: ReadonlyMap<string, ReadValue>,
    sites: readonly CallSite[],
    outputs: ReadonlyMap<number, ReadValue>,
  ) {
    this.#code = code
    this.#text = text
    this.#scope = scope
    this.#sites = new Map(sites.map((site) => [site.start, site]))
    this.#outputs = outputs
  }

  get text(): string {
    return this.#text
  }

  read(from: number, to: number, depth = 0): ReadValue {
    if (depth > maxDepth) return undefined
    const [begin, end] = this.#trim(from, to)
    const source = this.#code.slice(begin, end)
    if (/^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(source)) return Number(source)
    const constants: Record<string, JsonValue> = {
      true: true,
      True: true,
      false: false,
      False: false,
      null: null,
      None: null,
    }
    if (Object.hasOwn(constants, source)) return constants[source]
    const quoted = /^(['"])([^'"\\\n]*)\1$/.exec(source)
    if (quoted) return quoted[2]
    if (/^[A-Za-z_$][\w$]*$/.test(source)) return this.#scope.get(source)
    const site = this.#sites.get(begin)
    if (site?.close === end - 1) return this.#outputs.get(begin)
    const first = source[0]!
    if ((first === '[' || first === '(') && findClosing(this.#text, begin) === end - 1) {
      const parts = this.split(begin + 1, end - 1)
      if (first === '(' && parts.length === 1 && !this.#text.slice(begin, end).includes(','))
        return this.read(...parts[0]!, depth + 1)
      const items = parts.map(([one, other]) => this.read(one, other, depth + 1))
      return items.includes(undefined) ? undefined : (items as JsonValue[])
    }
    const element = /\[\s*(\d{1,4})\s*\]$/.exec(source)
    if (!element) return undefined
    const list = this.read(begin, end - element[0].length, depth + 1)
    return Array.isArray(list) ? list[Number(element[1])] : undefined
  }

  /** Parts between commas, without a last empty one. */
  split(from: number, to: number): [number, number][] {
    const parts: [number, number][] = []
    let [depth, begin] = [0, from]
    for (let at = from; at <= to; at++) {
      const char = this.#text[at]!
      if (at === to || (char === ',' && depth === 0)) {
        if (this.#text.slice(begin, at).trim() !== '') parts.push([begin, at])
        begin = at + 1
      } else if (opening.includes(char)) depth++
      else if (closing.includes(char)) depth--
    }
    return parts
  }

  /** `name: value`, `name=value`, or a name that stands for both. */
  readNamed(from: number, to: number, sign: ':' | '='): [name: string, value: ReadValue] | null {
    const [begin, end] = this.#trim(from, to)
    const found = (sign === ':' ? /^([A-Za-z_$][\w$]*)\s*:/ : /^([A-Za-z_]\w*)\s*=(?!=)/).exec(
      this.#text.slice(begin, end),
    )
    if (found) return [found[1]!, this.read(begin + found[0].length, end)]
    const source = this.#code.slice(begin, end)
    return sign === ':' && /^[A-Za-z_$][\w$]*$/.test(source) ? [source, this.read(begin, end)] : null
  }

  #trim(from: number, to: number): [number, number] {
    let [begin, end] = [from, to]
    while (begin < end && /\s/.test(this.#text[begin]!)) begin++
    while (end > begin && /\s/.test(this.#text[end - 1]!)) end--
    return [begin, end]
  }
}

/** Names under which modules hold the functions; other receivers are the first argument. */
const isModule = (receiver: string) =>
  /^(?:torch|F|nn|functional)\.(?:[\w$]+\.)*$/.test(receiver) || receiver === ''

function readArguments(
  reader: ValueReader,
  { receiver, open, close }: CallSite,
  parameters: readonly string[],
): Pick<WrittenCall, 'args' | 'unread'> {
  const values = new Map<string, ReadValue>()
  const positional: ReadValue[] = []
  if (!isModule(receiver)) positional.push(undefined)
  for (const [from, to] of reader.split(open + 1, close)) {
    const trimmed = reader.text.slice(from, to).trim()
    const named = reader.readNamed(from, to, '=')
    if (named) values.set(...named)
    else if (trimmed.startsWith('{')) {
      const begin = reader.text.indexOf('{', from)
      for (const [one, other] of reader.split(begin + 1, findClosing(reader.text, begin))) {
        const member = reader.readNamed(one, other, ':')
        // A spread, or a computed name: any parameter may be among them.
        if (!member) return { args: {}, unread: parameters }
        values.set(...member)
      }
    } else positional.push(reader.read(from, to))
  }
  if (positional.length > parameters.length) return { args: {}, unread: parameters }
  for (const [at, value] of positional.entries()) values.set(parameters[at]!, value)
  const args: Record<string, JsonValue> = {}
  const unread: string[] = []
  for (const [name, value] of values) {
    if (value === undefined) unread.push(name)
    else if (value !== null) args[name] = value
  }
  return { args, unread }
}
