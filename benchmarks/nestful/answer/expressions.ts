/** Calls in Python's syntax within a text: `[f(a=1), g(b="$var_1.x$")]`, or a statement on each line. */
import {
  type CallExpression,
  ExpressionReader,
  maxComputedDigits,
  type ExpressionMeanings,
} from '../python/expressions.ts'
import { UnreadableError } from '../python/read.ts'
import { PyDict, formatPyJson, type PyValue } from '../python/value.ts'
import type { CallCandidate, ReadCall } from './call-objects.ts'

const start =
  /(?:^|[[\n,;`])[ \t]*(?=[A-Za-z_][\w.-]{0,200}(?:[ \t]{0,9}=[ \t]{0,9}[A-Za-z_][\w.-]{0,200})?\()/g

/** Asked at ascending places. */
export class CallExpressions {
  readonly #text: string
  readonly #isApi: (name: string) => boolean
  readonly #labels = new Set<string>()
  /** The next place where a call may begin; whether behind the bracket of a list. */
  #next: { from: number; isListed: boolean } | null = null
  #searched = 0
  /** End of the previous call, and whether it stood in a list. */
  #end = -1
  #wasListed = false
  #inner = 0
  /** Calls of the current statement. */
  #calls: ReadCall[] = []
  readonly #meanings: ExpressionMeanings

  constructor(text: string, isApi: (name: string) => boolean) {
    this.#text = text
    this.#isApi = isApi
    const reference = (name: string): PyValue =>
      this.#labels.has(name.split(/[.[]/)[0]!) ? `$${name}$` : name
    this.#meanings = {
      digitsLeft: maxComputedDigits,
      name: reference,
      attribute: reference,
      // A call within an argument is a call before it.
      call: (call) => {
        const label = `inner_${++this.#inner}`
        this.#calls.push(this.#read(call, false, label))
        return `$${label}$`
      },
    }
  }

  /** The call that begins there, with those within its arguments before it; null where none does. */
  at(place: number): { found: CallCandidate; end: number } | null {
    if ((this.#next?.from ?? -1) < place) this.#search(place)
    if (this.#next?.from !== place) return null
    this.#calls = []
    const reader = new ExpressionReader(this.#text, place, this.#meanings)
    try {
      const { isListed } = this.#next
      const gap = this.#end < 0 ? null : this.#text.slice(this.#end, place)
      const follows = this.#wasListed && gap !== null && gap.length < 100 && /^[\s,;]*$/.test(gap)
      const expression = reader.statement()
      const calls = [...this.#calls, this.#read(expression, !isListed && !follows)]
      ;[this.#end, this.#wasListed] = [reader.at, isListed || follows]
      const found = { calls, lone: !isListed && !follows, isEmpty: false, cut: false, isExpression: true }
      return { found: { ...found, ...(follows && { follows }) }, end: reader.at }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      this.#searched = Math.max(place + 1, error.at)
      this.#next = null
      return null
    }
  }

  #search(place: number) {
    // The sign before a call stands before the place.
    start.lastIndex = Math.max(0, this.#searched, place - 1)
    const match = start.exec(this.#text)
    this.#next = match && {
      from: match.index + match[0].length,
      isListed: match[0].startsWith('['),
    }
    if (this.#next) this.#searched = this.#next.from
    else this.#searched = this.#text.length
  }

  #read({ target, name, keywords, positional }: CallExpression, lone: boolean, label?: string): ReadCall {
    const args = new PyDict([
      ...keywords,
      ...positional.map((value, at): [PyValue, PyValue] => [`arg_${at}`, value]),
    ])
    const callLabel = target ?? label
    if (callLabel !== undefined) this.#labels.add(callLabel)
    return {
      name,
      ...(callLabel !== undefined && { label: callLabel }),
      arguments: formatPyJson(args),
      // `item(s)` in a sentence is no call, and neither is what has the form of one without its names.
      isWeak: lone && callLabel === undefined && keywords.size === 0 && !this.#isApi(name),
    }
  }
}
