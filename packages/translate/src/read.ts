/**
 * Reads an instruction: every program that it may mean to a reader who knows only the phrases and the
 * variables' names.
 */
import type { StepBlock, Condition, Program, ResultEntry, ProgramStep } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { readCall } from './call-clause.ts'
import { readCondition } from './condition.ts'
import { atOtherwise, beginning, type Context } from './context.ts'
import { readEdit } from './edit-clause.ts'
import { lex, type Token } from './text/lex.ts'
import { InstructionReading } from './reading.ts'
import { isResultList, readListedEntry, readResult } from './result-clause.ts'
import { connectives, otherwises, separators, theFollowing } from './sentence.ts'
import { same, template } from './text/template.ts'

type Read = Pick<Program, 'body' | 'result' | 'branch'>

/**
 * The tokens that express a step of a block, by its position there, the RESULT of the block, or the
 * condition.
 */
export interface Clause {
  block: 'body' | 'then' | 'otherwise'
  says: number | 'result' | 'condition'
  from: number
  to: number
}

/** The state of reading: the block being read, and those that are finished. */
interface State {
  context: Context
  steps: ProgramStep[]
  result: ResultEntry[] | null
  /** True if the entries of RESULT stand in a list, which may go on. */
  listed: boolean
  branch: { body: ProgramStep[]; condition: Condition; context: Context; then: StepBlock | null } | null
  clauses: readonly Clause[]
}

/** The clauses so far, with one more of the block that is being read. */
const plusClause = (
  { branch, clauses }: State,
  says: Clause['says'],
  from: number,
  to: number,
): readonly Clause[] => [
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
): Read[] {
  const tokens = lex(instruction)
  return tokens ? readTokens(tokens, scenario, variables).map(({ read }) => read) : []
}

/** All readings of these tokens, with the clauses that express their parts. */
export function readTokens(
  tokens: readonly Token[],
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  variables: Iterable<string>,
): { read: Read; clauses: readonly Clause[] }[] {
  const reading = new InstructionReading(tokens)
  const context = beginning(scenario, variables)
  let states: State[] = [{ context, steps: [], result: null, listed: false, branch: null, clauses: [] }]
  let from = 0
  while (from < tokens.length && states.length > 0) {
    const end = tokens.findIndex((token, index) => index >= from && token.kind === 'end')
    if (end < 0) return []
    states = states.flatMap((state) => readSentence(reading, from, end, state)).slice(0, maxReadings)
    from = end + 1
  }
  return states.flatMap((state) => finished(state).map((read) => ({ read, clauses: state.clauses })))
}

function finished({ steps, result, listed, branch }: State): Read[] {
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

function readSentence(reading: InstructionReading, from: number, to: number, state: State): State[] {
  const { result, listed } = state
  if (result && listed) {
    const entries = readListedEntry(reading, from, to, state.context)
    if (entries.length > 0)
      return entries.map((entry) => ({
        ...state,
        result: [...result, entry],
        clauses: plusClause(state, 'result', from, to),
      }))
  }
  const starts = [from, ...after(reading, from, to, connectives)]
  return starts.flatMap((start) => [
    ...readClauses(reading, start, to, state),
    ...readIf(reading, start, to, state),
    ...readOtherwise(reading, start, to, state),
  ])
}

/** The positions after each of the wordings that stands at `from`. */
const after = (
  reading: InstructionReading,
  from: number,
  to: number,
  wordings: readonly string[],
): number[] => {
  const ends = wordings.flatMap((wording) => {
    const parts = template(wording)
    return from + parts.length <= to && parts.every((part, index) => same(part, reading.tokens[from + index]))
      ? [from + parts.length]
      : []
  })
  return [...new Set(ends)]
}

function readClauses(
  reading: InstructionReading,
  from: number,
  to: number,
  state: State,
  clauses = 1,
): State[] {
  if (
    state.result ||
    clauses > limits.clauses ||
    state.context.statedCalls.length + state.steps.length > 2 * limits.steps
  )
    return []
  const states: State[] = []
  for (let end = from + 1; end <= to && end <= from + limits.tokens; end++) {
    const nexts = end === to ? [to] : after(reading, end, to, separators)
    if (nexts.length === 0) continue
    if (end === to) {
      const said = { ...state, clauses: plusClause(state, 'result', from, to) }
      states.push(
        ...readResult(reading, from, to, state.context).map((result) => ({ ...said, result })),
        ...(isResultList(reading, from, to) ? [{ ...said, result: [], listed: true }] : []),
      )
    }
    for (const { step, after: context } of [
      ...readCall(reading, from, end, state.context),
      ...readEdit(reading, from, end, state.context),
    ]) {
      const next: State = {
        ...state,
        context,
        steps: [...state.steps, step],
        clauses: plusClause(state, state.steps.length, from, end),
      }
      if (end === to) states.push(next)
      else states.push(...nexts.flatMap((start) => readClauses(reading, start, to, next, clauses + 1)))
    }
  }
  return states
}

function readIf(reading: InstructionReading, from: number, to: number, state: State): State[] {
  if (state.branch || state.result || !isWord(reading.tokens[from], 'if')) return []
  return openings(reading, from + 1, to).flatMap(([end, start]) =>
    readCondition(reading, from + 1, end, state.context).flatMap((condition) => {
      const branch = { body: state.steps, condition, context: state.context, then: null }
      const clauses = plusClause(state, 'condition', from + 1, end)
      const next: State = { ...state, steps: [], branch, clauses }
      if (start === null || after(reading, start, to, [theFollowing]).includes(to)) return [next]
      return readClauses(reading, start, to, next)
    }),
  )
}

/**
 * Finds where a condition may end, with where the clauses after it begin: none where the sentence ends in a
 * colon.
 */
function openings(reading: InstructionReading, from: number, to: number): [number, number | null][] {
  const commas: [number, number | null][] = []
  for (let at = from + 1; at < to - 1; at++) {
    const token = reading.tokens[at]
    if (token?.kind === 'mark' && token.text === ',') commas.push([at, at + 1])
  }
  return [...commas, [to, null]]
}

function readOtherwise(reading: InstructionReading, from: number, to: number, state: State): State[] {
  const { branch, result, steps, listed } = state
  if (!branch || branch.then || !result || (listed && result.length < 2)) return []
  const next: State = {
    clauses: state.clauses,
    context: atOtherwise(branch.context),
    steps: [],
    result: null,
    listed: false,
    branch: { ...branch, then: { steps, result } },
  }
  return after(reading, from, to, otherwises).flatMap((start) => {
    if (start === to) return [next]
    const comma = reading.tokens[start]
    return comma?.kind === 'mark' && comma.text === ',' ? readClauses(reading, start + 1, to, next) : []
  })
}

const isWord = (token: Token | undefined, text: string) => token?.kind === 'word' && token.text === text
