/** Whether omitting a call or an edit, or taking the other branch, would show: in RESULT or in the final world, on at least one input. */
import type { Block, Program, Step } from '@stateeval/contracts'
import { isCall, references } from '@stateeval/program'
import type { Draft } from '../compose.ts'
import type { Search } from '../moves.ts'
import type { Trace } from '../trace.ts'
import { alike } from './alike.ts'
import { Replay, type Run, type Taken } from './replay.ts'

/** Whether every call and edit of the program, and its condition, matters on at least one of the inputs. `runs`: what it does on them. */
export function isObservable<W>(draft: Draft<W>, search: Search<W>, runs: readonly Run<W>[]): boolean {
  const { program } = draft
  const writtenSteps = writtenIn(program)
  for (let index = 0; index < writtenSteps.length; index++) {
    const less = without(program, writtenSteps, index)
    // A RESULT of other keys shows whatever the run does: most steps need no run to be judged.
    if (
      less &&
      !runs.some((run) => showsByKeys(less, run)) &&
      !runs.some((run) => showsInRun(draft, search, writtenSteps, less, run))
    )
      return false
  }
  return !program.branch || conditionShows(draft, search, runs)
}

/** A step as it stands in the text of a program, both branches counted. */
interface Written {
  step: Step
  block: Taken
  /** The variables that it refers to. */
  names: readonly string[]
}

function writtenIn({ body, branch }: Program): Written[] {
  const writtenSteps: Written[] = []
  const add = (steps: readonly Step[], block: Taken) => {
    for (const step of steps)
      writtenSteps.push({ step, block, names: references(step).map(({ variable }) => variable) })
  }
  add(body, 'none')
  if (branch) {
    add(branch.then.steps, 'then')
    add(branch.otherwise.steps, 'otherwise')
  }
  return writtenSteps
}

/** What is left of a program without one of its steps and all that depends on it. */
interface Less {
  /** The step that was taken out, by number. */
  index: number
  kept(at: number): boolean
  /** RESULT on each path. */
  results: Partial<Record<Taken, Block['result']>>
}

/** Null where the condition depends on the step. */
function without({ result, branch }: Program, writtenSteps: readonly Written[], index: number): Less | null {
  const goneNames: string[] = []
  const droppedIndexes: number[] = []
  for (let at = index; at < writtenSteps.length; at++) {
    const { step, names } = writtenSteps[at] as Written
    if (at !== index && !names.some((name) => goneNames.includes(name))) continue
    droppedIndexes.push(at)
    if (isCall(step) && step.binds) goneNames.push(step.binds)
  }
  if (branch && goneNames.includes(branch.condition.variable)) return null
  const left = (entries: Block['result'] = []) =>
    goneNames.length > 0 ? entries.filter(({ value }) => !goneNames.includes(value.variable)) : entries
  const results = branch
    ? { then: left(branch.then.result), otherwise: left(branch.otherwise.result) }
    : { none: left(result) }
  return { index, kept: (at) => !droppedIndexes.includes(at), results }
}

/** Whether two RESULTs have the same keys; in one, no key stands twice. */
const sameKeys = (a: Block['result'], b: Block['result'] = []) =>
  a === b || (a.length === b.length && a.every(({ key }) => b.some((other) => other.key === key)))

const showsByKeys = <W>(less: Less, { entries }: Run<W>) =>
  !Object.values(less.results).some((result) => sameKeys(result, entries))

/** Whether the run shows something else without the step; one that doesn't come by it goes on as before. */
function showsInRun<W>(
  { program }: Draft<W>,
  search: Search<W>,
  writtenSteps: readonly Written[],
  less: Less,
  run: Run<W>,
): boolean {
  const { block } = writtenSteps[less.index] as Written
  if (block !== 'none' && block !== run.takenBlock) return false
  const elsewhere = block === 'otherwise' ? (program.branch?.then.steps.length ?? 0) : 0
  const from = lastBefore(run.end, less.index - elsewhere)
  const start = from.steps.length + elsewhere
  const left = (side: Taken) => {
    const steps: Step[] = []
    for (let at = side === block ? start : 0; at < writtenSteps.length; at++) {
      const { step, block: stepBlock } = writtenSteps[at] as Written
      if (stepBlock === side && less.kept(at)) steps.push(step)
    }
    return steps
  }

  const replay = new Replay(program, search.operations, from)
  if (!replay.make(left(block))) return true
  const takenBlock = block === 'none' ? replay.takes(run.constant) : block
  if (takenBlock === null || (takenBlock !== block && !replay.make(left(takenBlock)))) return true
  const shown = replay.shows(less.results[takenBlock] ?? [], search.scenario)
  return shown === null || !alike(shown, run.shown, search.scenario)
}

/** The trace before its step of this number, as late as it was kept. */
function lastBefore<W>(end: Trace<W>, step: number): Trace<W> {
  let at = end
  while (at.steps.length > step && at.before) at = at.before
  return at
}

/** Whether it shows where the branches are exchanged: the condition is asked as before, so each run goes on with the other steps. */
function conditionShows<W>(
  { program, branch: traces }: Draft<W>,
  search: Search<W>,
  runs: readonly Run<W>[],
): boolean {
  const { branch } = program
  if (!branch || !traces) return false
  const others = runs.map((run) => ({
    run,
    other: run.takenBlock === 'then' ? branch.otherwise : branch.then,
  }))
  if (others.some(({ run, other }) => !sameKeys(other.result, run.entries))) return true
  return others.some(({ run, other }) => {
    const replay = new Replay(program, search.operations, traces.fork)
    const shown = replay.make(other.steps) ? replay.shows(other.result, search.scenario) : null
    return shown === null || !alike(shown, run.shown, search.scenario)
  })
}
