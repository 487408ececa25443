/**
 * The other possible meanings of an instruction's words, each as the program that a reader would then
 * write.
 */
import type { Call, JsonValue, LocalEdit, Program, VariableReference } from '@stateeval/contracts'
import {
  readPath,
  isCall,
  createLiteral,
  isOnPath,
  listBlocks,
  listStepsBefore,
  type ValuePath,
} from '@stateeval/program'
import { formatOutputName } from '../call-clause.ts'
import { isOverlapping, type StatedCall } from '../context.ts'
import { clue, type ReadingClue } from '../read-reference.ts'
import type { ReadingRule } from './rules.ts'
import type { CallResult, ReaderRun, ReaderWorld } from './run.ts'
import { changing, type ProgramSpot, withChange } from './substitute.ts'

/**
 * `another`: another call's output, or another item of a list. `present`: the current value instead of the
 * returned one. `copy`: the same item in the output of another call. `original`: the returned or given
 * value, without later edits.
 */
export interface ReadingAlternative {
  kind: 'another' | 'present' | 'copy' | 'original'
  /** The number of the call on its path whose output was referred to; null for a variable. */
  call: number | null
  /** The rule that excludes the reading; null where none does. */
  rule: ReadingRule | null
  program: () => Program
  /** Further variables of the input that the program needs. */
  variables: Readonly<Record<string, JsonValue>>
}

const fresh = 'another_reading'

/** The alternatives at a spot, in a run that reaches it. */
export function* listAlternatives(
  program: Program,
  spot: ProgramSpot,
  run: ReaderRun,
  world: ReaderWorld,
): Generator<ReadingAlternative> {
  const wordings = new Set(spot.references.flatMap((reference) => reference[clue] ?? []))
  for (const wording of wordings) yield* listOutputAlternatives(wording, { program, spot, run, world })
  yield* listVariableAlternatives(program, spot, run)
}

interface ReadingScene {
  program: Program
  spot: ProgramSpot
  run: ReaderRun
  world: ReaderWorld
}

function* listOutputAlternatives(
  wording: ReadingClue,
  { program, spot, run, world }: ReadingScene,
): Generator<ReadingAlternative> {
  const { mention, base } = wording
  const { statedCall } = mention
  const { output, number } = statedCall
  const result = run.results.get(output)
  if (!result) return
  const ofCall = (rule: ReadingRule | null) => ({ call: number, rule, variables: {} })
  const to = (variable: string, start: ValuePath) =>
    changing(wording, ({ path }) => ({ variable, path: [...start, ...path.slice(base.length)] }))
  const earlier = listSpotCalls(program, spot)
  for (let other = 0; other < earlier; other++) {
    const name = formatOutputName(other)
    const places = other === number ? listOtherItems(base, result.output) : [base]
    for (const place of places) {
      if (other === number || readPath(run.results.get(name)?.output, place) !== undefined)
        yield {
          kind: 'another',
          ...ofCall(getExclusionRule(wording, other === number ? null : result, run, name)),
          program: () => withChange(program, spot, to(name, place), null),
        }
    }
  }
  // The id and the place of a call's result identify it; nothing changes them.
  if (mention.kind === 'thing') return
  const readingRule =
    wording.copy || mention.by === 'edited' ? 'edited' : mention.by === 'returned' ? 'returned' : null
  const again = repeatCall(statedCall, result)
  const here = { block: spot.block, at: spot.before }
  if (again)
    yield {
      kind: 'present',
      ...ofCall(readingRule),
      program: () => withChange(program, spot, to(fresh, base), { ...here, step: again }),
    }
  const item = readPath(result.output, base) as JsonValue | undefined
  const read = item === undefined ? null : (world.reread?.(item) ?? null)
  if (read) {
    const step: Call = { ...read, binds: fresh }
    yield {
      kind: 'present',
      ...ofCall(readingRule),
      program: () => withChange(program, spot, to(fresh, []), { ...here, step }),
    }
    for (const [name, start] of listCopies(read, number, earlier, run, world))
      yield {
        kind: 'copy',
        ...ofCall(readingRule),
        program: () => withChange(program, spot, to(name, start), null),
      }
  }
  const at = findBinding(program, spot, output)
  if (again && at && isEdited(program, spot, wording))
    yield {
      kind: 'original',
      ...ofCall(readingRule),
      program: () => withChange(program, spot, to(fresh, base), { ...at, step: again }),
    }
}

/**
 * Gets the rule that distinguishes a call's output from another's: counting words, pointing words, or the
 * call's own noun.
 */
function getExclusionRule(
  wording: ReadingClue,
  result: CallResult | null,
  run: ReaderRun,
  other: string,
): ReadingRule | null {
  switch (wording.mention.by) {
    case 'that':
    case 'just':
      return result ? 'latest' : 'counted'
    case 'untouched':
      // A speech made from a converted speech may also be called a converted speech.
      return result && isDerivedResult(run.results.get(other), result) ? null : 'named'
    case 'sole':
      return result ? 'named' : 'counted'
    default:
      return 'counted'
  }
}

const isDerivedResult = (later: CallResult | undefined, { output }: CallResult) => {
  const text = JSON.stringify(output)
  return (
    later !== undefined && Object.values(later.args).some((value) => JSON.stringify(value).includes(text))
  )
}

/** The call once more, with the arguments that it had. */
const repeatCall = ({ call }: StatedCall, { args, reads }: CallResult): Call | null =>
  reads
    ? {
        ...call,
        args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, createLiteral(value)])),
        binds: fresh,
      }
    : null

function listOtherItems(base: ValuePath, output: JsonValue): ValuePath[] {
  const index = base.at(-1)
  const at = base.slice(0, -1)
  const list = readPath(output, at)
  if (typeof index !== 'number' || !Array.isArray(list)) return []
  return list.flatMap((_, other) => (other === index ? [] : [[...at, other]]))
}

/** Lists other places of the same item among the outputs of earlier calls. */
function* listCopies(
  read: Call,
  number: number,
  earlier: number,
  run: ReaderRun,
  world: ReaderWorld,
): Generator<[string, ValuePath]> {
  const text = JSON.stringify(read.args)
  const isSame = (value: JsonValue) => JSON.stringify(world.reread?.(value)?.args) === text
  for (let other = 0; other < earlier; other++) {
    const output = run.results.get(formatOutputName(other))?.output
    if (other === number || output === undefined) continue
    if (isSame(output)) yield [formatOutputName(other), []]
    if (!Array.isArray(output)) continue
    for (const [index, value] of output.entries()) if (isSame(value)) yield [formatOutputName(other), [index]]
  }
}

/** The place after the call on the spot's path that binds an output. */
function findBinding(program: Program, spot: ProgramSpot, output: string) {
  for (const [block, { steps }] of listBlocks(program)) {
    const index = steps.findIndex((step) => isCall(step) && step.binds === output)
    if (index >= 0 && isOnPath(block, spot.block)) return { block, at: index + 1 }
  }
  return undefined
}

const listSpotSteps = (program: Program, { block, before }: ProgramSpot) =>
  listStepsBefore(program, block, before)
const listSpotCalls = (program: Program, spot: ProgramSpot) =>
  listSpotSteps(program, spot).filter(isCall).length
const listSpotEdits = (program: Program, spot: ProgramSpot) =>
  listSpotSteps(program, spot).filter((step): step is LocalEdit => !isCall(step))

const hasTouchedPath = (edits: readonly LocalEdit[], { variable, path }: VariableReference) =>
  edits.some(({ target }) => target.variable === variable && isOverlapping(target.path, path))
const isEdited = (program: Program, spot: ProgramSpot, wording: ReadingClue) =>
  spot.references.some(
    (reference) => reference[clue] === wording && hasTouchedPath(listSpotEdits(program, spot), reference),
  )

/** A variable that was edited, as it was at the start. */
function* listVariableAlternatives(
  program: Program,
  spot: ProgramSpot,
  { input }: ReaderRun,
): Generator<ReadingAlternative> {
  const edits = listSpotEdits(program, spot)
  const inputReferences = spot.references.filter(
    (reference) => Object.hasOwn(input.variables, reference.variable) && hasTouchedPath(edits, reference),
  )
  for (const name of new Set(inputReferences.map(({ variable }) => variable)))
    yield {
      kind: 'original',
      call: null,
      rule: 'edited',
      program: () =>
        withChange(
          program,
          spot,
          (reference) => (reference.variable === name ? { ...reference, variable: fresh } : reference),
          null,
        ),
      variables: { [fresh]: input.variables[name] as JsonValue },
    }
}
