/**
 * The currently valid moves: every parametrisation that the scenario solves, alone or after a local edit
 * that it uses.
 */
import type { Call, LocalEdit } from '@stateeval/contracts'
import {
  type ScenarioOperation,
  type ValuePath,
  listReferences,
  type RandomSource,
  type Scenario,
  type TraceScope,
} from '@stateeval/program'
import { type PathGoals, selectSteeredMoves } from './steering.ts'
import { applyTraceEdit, type TraceMove, type ProgramTrace } from './trace.ts'

/** How often a step may come with edits, and how often with two. */
const editChance = 0.4
const secondChance = 0.3

export interface MoveSearch<W> {
  scenario: Scenario<W>
  operations: readonly ScenarioOperation<W>[]
  /** Only moves that keep pace with these are offered. */
  goals?: PathGoals
}

const buildScope = <W>({ world, bindings, history }: ProgramTrace<W>): TraceScope<W> => ({
  world,
  bindings,
  history: history.apis,
})

/**
 * Tells whether a call reads what an edit has set: an argument holds the edited place. An argument that is
 * just that place could be stated without the edit.
 */
const hasReadEdit = (call: Call, { target }: LocalEdit) =>
  listReferences(call).some(
    ({ variable, path }) =>
      variable === target.variable &&
      path.length < target.path.length &&
      path.every((key, index) => key === target.path[index]),
  )

/**
 * The calls of an API that are possible after a trace, as moves; those that a test finds good, where there is
 * one.
 */
function listSolvedMoves<W>(
  ready: ProgramTrace<W>,
  operation: ScenarioOperation<W>,
  rng: RandomSource,
  isGood?: (call: Call) => boolean,
): TraceMove<W>[] {
  const moves: TraceMove<W>[] = []
  for (const { call, consumes, introduces } of operation.solve(buildScope(ready), rng))
    if (isGood === undefined || isGood(call)) moves.push({ call, consumes, introduces, ready })
  return moves
}

/** The first of them; null where there is none. No more than that is solved. */
function findFirstSolved<W>(
  ready: ProgramTrace<W>,
  operation: ScenarioOperation<W>,
  rng: RandomSource,
  isGood?: (call: Call) => boolean,
): TraceMove<W> | null {
  for (const { call, consumes, introduces } of operation.solve(buildScope(ready), rng))
    if (isGood === undefined || isGood(call)) return { call, consumes, introduces, ready }
  return null
}

const isSamePath = (a: ValuePath, b: ValuePath) =>
  a.length === b.length && a.every((key, index) => key === b[index])

/** One or two edits of one session, each of another place; none where the scenario has none. */
function drawEdits<W>(
  { scenario }: MoveSearch<W>,
  trace: ProgramTrace<W>,
  rng: RandomSource,
): { edits: LocalEdit[]; after: ProgramTrace<W> } | null {
  const [first] = scenario.edits(buildScope(trace), rng)
  if (!first) return null
  const once = applyTraceEdit(trace, first)
  if (!rng.chance(secondChance)) return { edits: [first], after: once }
  for (const second of scenario.edits(buildScope(once), rng))
    if (
      second.target.variable === first.target.variable &&
      !isSamePath(second.target.path, first.target.path)
    )
      return { edits: [first, second], after: applyTraceEdit(once, second) }
  return { edits: [first], after: once }
}

/**
 * The valid moves of one API that keep pace with the goals, where there are goals: those that use an edit, if
 * an edit with a use is drawn.
 */
export function listMoves<W>(
  search: MoveSearch<W>,
  trace: ProgramTrace<W>,
  operation: ScenarioOperation<W>,
  rng: RandomSource,
): TraceMove<W>[] {
  const moves = listEditedMoves(search, trace, operation, rng)
  return search.goals ? selectSteeredMoves(search.goals, moves) : moves
}

function listEditedMoves<W>(
  search: MoveSearch<W>,
  trace: ProgramTrace<W>,
  operation: ScenarioOperation<W>,
  rng: RandomSource,
): TraceMove<W>[] {
  const edit = drawLocalEdits(search, trace, operation, rng)
  const using = edit ? listSolvedMoves(edit.after, operation, rng, edit.isUsed) : []
  return using.length > 0 ? using : listSolvedMoves(trace, operation, rng)
}

/**
 * One move of an API, if none is better than another; only this one is solved. Null if the API cannot be
 * called.
 */
export function findAnyMove<W>(
  search: MoveSearch<W>,
  trace: ProgramTrace<W>,
  operation: ScenarioOperation<W>,
  rng: RandomSource,
): TraceMove<W> | null {
  if (search.goals) return pickMove(listMoves(search, trace, operation, rng), rng)
  const edit = drawLocalEdits(search, trace, operation, rng)
  return (
    (edit && findFirstSolved(edit.after, operation, rng, edit.isUsed)) ??
    findFirstSolved(trace, operation, rng)
  )
}

/**
 * Edits for a call of the API, now and then, and whether a call uses them: an edit is made for the call that
 * follows.
 */
function drawLocalEdits<W>(
  search: MoveSearch<W>,
  trace: ProgramTrace<W>,
  { sendsObjects }: ScenarioOperation<W>,
  rng: RandomSource,
) {
  const drawnEdits = sendsObjects && rng.chance(editChance) ? drawEdits(search, trace, rng) : null
  return (
    drawnEdits && {
      after: drawnEdits.after,
      isUsed: (call: Call) => drawnEdits.edits.every((edit) => hasReadEdit(call, edit)),
    }
  )
}

/** One of the best moves: draws an API uniformly among theirs, then one of its parametrisations. */
export function pickMove<W>(moves: readonly TraceMove<W>[], rng: RandomSource): TraceMove<W> | null {
  if (moves.length === 0) return null
  const apis: string[] = []
  for (const { call } of moves) if (!apis.includes(call.api)) apis.push(call.api)
  const api = rng.pick(apis)
  return rng.pick(apis.length === 1 ? moves : moves.filter(({ call }) => call.api === api))
}
