/**
 * Reads an instruction: every program that it may mean to a reader who knows only the phrases and the
 * variables' names.
 */
import {
  maxBranchDepth,
  type StepBlock,
  type Condition,
  type ResultEntry,
  type ProgramStep,
} from '@stateeval/contracts'
import { type BlockName, type ProgramParts, type Scenario, toProgramParts } from '@stateeval/program'
import { readCall } from './call-clause.ts'
import { sayCase } from './case-clause.ts'
import { readCondition } from './condition.ts'
import { enterOtherwise, createContext, type TranslationContext } from './context.ts'
import { readEdit } from './edit-clause.ts'
import { tokenizeText, type TextToken } from './text/lex.ts'
import { InstructionReading } from './reading.ts'
import { isResultList, readListedEntry, readResult } from './result-clause.ts'
import { connectives, otherwises, separators, still, theFollowing } from './sentence.ts'
import { isSameElement, compileTemplate } from './text/template.ts'

/**
 * The tokens that express a step of a block, by its position there, the RESULT of the block, or the
 * condition that ends it.
 */
export interface InstructionClause {
  block: BlockName
  says: number | 'result' | 'condition'
  from: number
  to: number
}

/** The state of reading: the current block, and the finished ones. */
interface ReadingState {
  context: TranslationContext
  steps: ProgramStep[]
  result: ResultEntry[] | null
  /** True if the entries of RESULT stand in a list, which may continue. */
  listed: boolean
  /** The ifs around the current block, outermost first. */
  ifs: readonly OpenIf[]
  /** The conditions told so far, in all branches. */
  asked: number
  clauses: readonly InstructionClause[]
}
/** An if of which a branch is being read. */
interface OpenIf {
  /** Its place among all conditions. */
  number: number
  /** The steps of its block. */
  steps: ProgramStep[]
  condition: Condition
  context: TranslationContext
  /** The first branch; null while it is being read. */
  then: StepBlock | null
}

const nameCurrentBlock = ({ ifs }: ReadingState): BlockName =>
  ifs.length === 0 ? 'body' : (ifs.map(({ then }) => (then ? 'otherwise' : 'then')).join('/') as BlockName)

/** The clauses so far, with one more of the block that is being read. */
const addClause = (
  state: ReadingState,
  says: InstructionClause['says'],
  from: number,
  to: number,
): readonly InstructionClause[] => [...state.clauses, { block: nameCurrentBlock(state), says, from, to }]

/** More readings than this are not followed: the instruction is ambiguous anyway. */
const maxReadings = 32
/** The maximum calls and edits of an instruction, clauses of a sentence, and tokens of a clause. */
export const limits = { steps: 250, clauses: 8, tokens: 2000 } as const

/** All readings of an instruction; empty if it is not in the grammar. */
export function readInstruction(
  instruction: string,
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  variables: Iterable<string>,
): ProgramParts[] {
  const tokens = tokenizeText(instruction)
  return tokens ? readTokens(tokens, scenario, variables).map(({ read }) => read) : []
}

/** All readings of these tokens, with the clauses that express their parts. */
export function readTokens(
  tokens: readonly TextToken[],
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  variables: Iterable<string>,
): { read: ProgramParts; clauses: readonly InstructionClause[] }[] {
  const reading = new InstructionReading(tokens)
  const context = createContext(scenario, variables)
  let states: ReadingState[] = [
    { context, steps: [], result: null, listed: false, ifs: [], asked: 0, clauses: [] },
  ]
  let from = 0
  while (from < tokens.length && states.length > 0) {
    const end = tokens.findIndex((token, index) => index >= from && token.kind === 'end')
    if (end < 0) return []
    states = states.flatMap((state) => readSentence(reading, from, end, state)).slice(0, maxReadings)
    from = end + 1
  }
  return states.flatMap((state) => finishReading(state).map((read) => ({ read, clauses: state.clauses })))
}

/**
 * The current block, which has its RESULT, with the ifs that it completes; and those of which the second
 * branch is still missing. Null while the RESULT is.
 */
function closeBlock({
  steps,
  result,
  listed,
  ifs,
}: ReadingState): { block: StepBlock; open: OpenIf[] } | null {
  if (!result || (listed && result.length < 2)) return null
  const open = [...ifs]
  let block: StepBlock = { steps, result }
  for (let last = open.at(-1); last?.then; last = open.at(-1)) {
    const { condition, then } = last
    block = { steps: last.steps, result: [], branch: { condition, then, otherwise: block } }
    open.pop()
  }
  return { block, open }
}

function finishReading(state: ReadingState): ProgramParts[] {
  const closed = closeBlock(state)
  return closed?.open.length === 0 ? [toProgramParts(closed.block)] : []
}

function readSentence(
  reading: InstructionReading,
  from: number,
  to: number,
  state: ReadingState,
): ReadingState[] {
  const { result, listed } = state
  if (result && listed) {
    const entries = readListedEntry(reading, from, to, state.context)
    if (entries.length > 0)
      return entries.map((entry) => ({
        ...state,
        result: [...result, entry],
        clauses: addClause(state, 'result', from, to),
      }))
  }
  const starts = [from, ...listPositionsAfter(reading, from, to, connectives)]
  // An if in a branch says that it belongs to it.
  const ifStarts = state.ifs.length === 0 ? starts : listPositionsAfter(reading, from, to, [still])
  return [
    ...starts.flatMap((start) => readClauses(reading, start, to, state)),
    ...ifStarts.flatMap((start) => readIf(reading, start, to, state)),
    ...starts.flatMap((start) => readOtherwise(reading, start, to, state)),
  ]
}

/** The positions after each of the wordings that stands at `from`. */
const listPositionsAfter = (
  reading: InstructionReading,
  from: number,
  to: number,
  wordings: readonly string[],
): number[] => {
  const ends = wordings.flatMap((wording) => {
    const parts = compileTemplate(wording)
    return from + parts.length <= to &&
      parts.every((part, index) => isSameElement(part, reading.tokens[from + index]))
      ? [from + parts.length]
      : []
  })
  return [...new Set(ends)]
}

function readClauses(
  reading: InstructionReading,
  from: number,
  to: number,
  state: ReadingState,
  clauses = 1,
): ReadingState[] {
  if (
    state.result ||
    clauses > limits.clauses ||
    state.context.statedCalls.length + state.steps.length > 2 * limits.steps
  )
    return []
  const states: ReadingState[] = []
  for (let end = from + 1; end <= to && end <= from + limits.tokens; end++) {
    const nexts = end === to ? [to] : listPositionsAfter(reading, end, to, separators)
    if (nexts.length === 0) continue
    if (end === to) {
      const said = { ...state, clauses: addClause(state, 'result', from, to) }
      states.push(
        ...readResult(reading, from, to, state.context).map((result) => ({ ...said, result })),
        ...(isResultList(reading, from, to) ? [{ ...said, result: [], listed: true }] : []),
      )
    }
    for (const { step, after: context } of [
      ...readCall(reading, from, end, state.context),
      ...readEdit(reading, from, end, state.context),
    ]) {
      const next: ReadingState = {
        ...state,
        context,
        steps: [...state.steps, step],
        clauses: addClause(state, state.steps.length, from, end),
      }
      if (end === to) states.push(next)
      else states.push(...nexts.flatMap((start) => readClauses(reading, start, to, next, clauses + 1)))
    }
  }
  return states
}

function readIf(reading: InstructionReading, from: number, to: number, state: ReadingState): ReadingState[] {
  const { steps, context, ifs, asked } = state
  if (ifs.length === maxBranchDepth || state.result || !isWord(reading.tokens[from], 'if')) return []
  return readOpenings(reading, from + 1, to).flatMap(([end, start]) =>
    readCondition(reading, from + 1, end, context).flatMap((condition) => {
      const open: OpenIf = { number: asked, steps, condition, context, then: null }
      const clauses = addClause(state, 'condition', from + 1, end)
      const next: ReadingState = { ...state, steps: [], ifs: [...ifs, open], asked: asked + 1, clauses }
      return start === null ? [next] : readBranchStart(reading, start, to, next)
    }),
  )
}

/** The clauses after the case of a branch, or the words that announce them. */
const readBranchStart = (reading: InstructionReading, from: number, to: number, state: ReadingState) =>
  listPositionsAfter(reading, from, to, [theFollowing]).includes(to)
    ? [state]
    : readClauses(reading, from, to, state)

/**
 * Finds where a condition may end, and where the clauses after it begin; null for a sentence that ends in a
 * colon.
 */
function readOpenings(reading: InstructionReading, from: number, to: number): [number, number | null][] {
  const commas: [number, number | null][] = []
  for (let at = from + 1; at < to - 1; at++) {
    const token = reading.tokens[at]
    if (token?.kind === 'mark' && token.text === ',') commas.push([at, at + 1])
  }
  return [...commas, [to, null]]
}

function readOtherwise(
  reading: InstructionReading,
  from: number,
  to: number,
  state: ReadingState,
): ReadingState[] {
  const closed = closeBlock(state)
  const last = closed?.open.at(-1)
  if (!closed || !last) return []
  const ifs = closed.open.with(-1, { ...last, then: closed.block })
  const next: ReadingState = {
    ...state,
    context: enterOtherwise(last.context),
    steps: [],
    result: null,
    listed: false,
    ifs,
  }
  const inCase = sayCase(
    ifs.map(({ number, then }, depth) => ({ number, holds: depth < ifs.length - 1 && !then })),
  )
  // After several conditions, 'otherwise' doesn't say to which it belongs.
  const wordings = state.asked === 1 ? [...otherwises, inCase] : [inCase]
  return listPositionsAfter(reading, from, to, wordings).flatMap((start) => {
    if (start === to) return [next]
    const comma = reading.tokens[start]
    return comma?.kind === 'mark' && comma.text === ',' ? readBranchStart(reading, start + 1, to, next) : []
  })
}

const isWord = (token: TextToken | undefined, text: string) => token?.kind === 'word' && token.text === text
