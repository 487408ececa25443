/**
 * Reads an instruction: every program that it may mean to a reader who knows only the phrases and the
 * variables' names.
 */
import type { StepBlock, Condition, Program, ResultEntry, ProgramStep } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { readCall } from './call-clause.ts'
import { readCondition } from './condition.ts'
import { enterOtherwise, createContext, type TranslationContext } from './context.ts'
import { readEdit } from './edit-clause.ts'
import { tokenizeText, type TextToken } from './text/lex.ts'
import { InstructionReading } from './reading.ts'
import { isResultList, readListedEntry, readResult } from './result-clause.ts'
import { connectives, otherwises, separators, theFollowing } from './sentence.ts'
import { isSameElement, compileTemplate } from './text/template.ts'

type ProgramReading = Pick<Program, 'body' | 'result' | 'branch'>

/**
 * The tokens that express a step of a block, by its position there, the RESULT of the block, or the
 * condition.
 */
export interface InstructionClause {
  block: 'body' | 'then' | 'otherwise'
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
  branch: {
    body: ProgramStep[]
    condition: Condition
    context: TranslationContext
    then: StepBlock | null
  } | null
  clauses: readonly InstructionClause[]
}

/** The clauses so far, with one more of the block that is being read. */
const addClause = (
  { branch, clauses }: ReadingState,
  says: InstructionClause['says'],
  from: number,
  to: number,
): readonly InstructionClause[] => [
  ...clauses,
  { block: !branch ? 'body' : branch.then ? 'otherwise' : 'then', says, from, to },
]

/** More readings than this are not followed: the instruction is ambiguous anyway. */
const maxReadings = 32
/** The maximum calls and edits of an instruction, clauses of a sentence, and tokens of a clause. */
export const limits = { steps: 250, clauses: 8, tokens: 2000 } as const

/** All readings of an instruction; empty if it is not in the grammar. */
export function readInstruction(
  instruction: string,
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  variables: Iterable<string>,
): ProgramReading[] {
  const tokens = tokenizeText(instruction)
  return tokens ? readTokens(tokens, scenario, variables).map(({ read }) => read) : []
}

/** All readings of these tokens, with the clauses that express their parts. */
export function readTokens(
  tokens: readonly TextToken[],
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  variables: Iterable<string>,
): { read: ProgramReading; clauses: readonly InstructionClause[] }[] {
  const reading = new InstructionReading(tokens)
  const context = createContext(scenario, variables)
  let states: ReadingState[] = [
    { context, steps: [], result: null, listed: false, branch: null, clauses: [] },
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

function finishReading({ steps, result, listed, branch }: ReadingState): ProgramReading[] {
  if (!result || (listed && result.length < 2)) return []
  if (!branch) return [{ body: steps, result }]
  if (!branch.then) return []
  return [
    {
      body: branch.body,
      branch: { condition: branch.condition, then: branch.then, otherwise: { steps, result } },
    },
  ]
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
  return starts.flatMap((start) => [
    ...readClauses(reading, start, to, state),
    ...readIf(reading, start, to, state),
    ...readOtherwise(reading, start, to, state),
  ])
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
  if (state.branch || state.result || !isWord(reading.tokens[from], 'if')) return []
  return readOpenings(reading, from + 1, to).flatMap(([end, start]) =>
    readCondition(reading, from + 1, end, state.context).flatMap((condition) => {
      const branch = { body: state.steps, condition, context: state.context, then: null }
      const clauses = addClause(state, 'condition', from + 1, end)
      const next: ReadingState = { ...state, steps: [], branch, clauses }
      if (start === null || listPositionsAfter(reading, start, to, [theFollowing]).includes(to)) return [next]
      return readClauses(reading, start, to, next)
    }),
  )
}

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
  const { branch, result, steps, listed } = state
  if (!branch || branch.then || !result || (listed && result.length < 2)) return []
  const next: ReadingState = {
    clauses: state.clauses,
    context: enterOtherwise(branch.context),
    steps: [],
    result: null,
    listed: false,
    branch: { ...branch, then: { steps, result } },
  }
  return listPositionsAfter(reading, from, to, otherwises).flatMap((start) => {
    if (start === to) return [next]
    const comma = reading.tokens[start]
    return comma?.kind === 'mark' && comma.text === ',' ? readClauses(reading, start + 1, to, next) : []
  })
}

const isWord = (token: TextToken | undefined, text: string) => token?.kind === 'word' && token.text === text
