/**
 * A partial bijection of ids between two runs, extended by comparing their values. Everything that is
 * forced is done at once. Elements of unordered lists are sorted into classes for the search. All changes
 * are stored as undo steps, so that the search can revert them.
 */
import type { ComparisonRules } from '@stateeval/program'
import type { IdTable } from './ids.ts'
import { isSameNumber } from './numbers.ts'
import { isLoose, type RunSide } from './occurrences.ts'
import { computeSignature } from './signature.ts'
import { isTensorValue, isSameTensor } from './tensors.ts'
import { UnorderedList } from './unordered.ts'
import { passBound, type WorkBound } from './work-bound.ts'

/** Equal-looking elements of one unordered list: any of `expected` may match any of `found`. */
export interface ElementClass {
  readonly expected: readonly unknown[]
  readonly actual: readonly unknown[]
  /** Any that fits will do: see isLoose. */
  readonly loose: boolean
  readonly done: boolean[]
  readonly isTaken: boolean[]
  left: number
}

/** How far numbers and elements of tensors may be apart: see Comparison. */
type NumberTolerances = Pick<ComparisonRules, 'relativeTolerance' | 'reduction'>

export class ElementMatching {
  readonly classes: ElementClass[] = []
  private readonly forward = new Map<string, string>()
  private readonly backward = new Map<string, string>()
  private readonly undoSteps: (() => void)[] = []
  private readonly expected: RunSide
  private readonly actual: RunSide
  private readonly tolerance: number
  private readonly reduction: number
  private readonly work: WorkBound

  constructor(
    expected: RunSide,
    actual: RunSide,
    { relativeTolerance, reduction = 0 }: NumberTolerances,
    work: WorkBound,
  ) {
    this.expected = expected
    this.actual = actual
    this.tolerance = relativeTolerance
    this.reduction = reduction
    this.work = work
  }

  mark = () => this.undoSteps.length
  undoTo(mark: number) {
    while (this.undoSteps.length > mark) this.undoSteps.pop()?.()
  }
  /** Makes a change that `undoTo` can take back. */
  change(doIt: () => void, undo: () => void) {
    doIt()
    this.undoSteps.push(undo)
  }

  /** Tells whether both could be equal now; changes nothing. Unordered parts are only counted. */
  fits(expected: unknown, actual: unknown): boolean {
    const mark = this.mark()
    const fits = this.unify(expected, actual, false)
    this.undoTo(mark)
    return fits
  }

  /**
   * Lays both beside each other and keeps what that forces; false where they contradict (then undo to a
   * mark).
   */
  unify(expected: unknown, actual: unknown, keepGroups = true): boolean {
    const stack: [unknown, unknown][] = [[expected, actual]]
    for (let pair = stack.pop(); pair; pair = stack.pop()) {
      this.visit()
      if (!this.step(pair[0], pair[1], stack, keepGroups)) return false
    }
    return true
  }

  /** Counts one step of work. */
  visit = () => {
    if (--this.work.left < 0) passBound()
  }

  private step(e: unknown, f: unknown, stack: [unknown, unknown][], keepGroups: boolean): boolean {
    if (typeof e === 'string') return typeof f === 'string' && this.strings(e, f, stack)
    if (typeof e === 'number') return typeof f === 'number' && isSameNumber(e, f, this.tolerance)
    if (e === null || typeof e !== 'object') return e === f
    if (f === null || typeof f !== 'object') return false
    if (isTensorValue(e)) return isSameTensor(e, f, this.reduction)
    if (e instanceof UnorderedList)
      return f instanceof UnorderedList && this.group(e.items, f.items, stack, keepGroups)
    if (Array.isArray(e)) {
      if (!Array.isArray(f) || e.length !== f.length) return false
      for (const [index, item] of e.entries()) stack.push([item, f[index]])
      return true
    }
    return (
      !Array.isArray(f) &&
      !(f instanceof UnorderedList) &&
      this.objects(e as MatchingFields, f as MatchingFields, stack, keepGroups)
    )
  }

  private objects(
    e: MatchingFields,
    f: MatchingFields,
    stack: [unknown, unknown][],
    keepGroups: boolean,
  ): boolean {
    const keys = Object.keys(e)
    if (keys.length !== Object.keys(f).length) return false
    const keyedByIds: [string, unknown][] = []
    for (const key of keys) {
      if (this.expected.ids.within(key)) keyedByIds.push([key, e[key]])
      else if (!Object.hasOwn(f, key) || this.actual.ids.within(key)) return false
      else stack.push([e[key], f[key]])
    }
    if (keyedByIds.length === 0) return true
    const others = Object.entries(f).filter(([key]) => this.actual.ids.within(key))
    return this.group(keyedByIds, others, stack, keepGroups)
  }

  private strings(e: string, f: string, stack: [unknown, unknown][]): boolean {
    const parts = this.expected.ids.split(e)
    if (f.length > e.length + parts.length * this.actual.ids.longest) return false
    const others = this.actual.ids.split(f)
    if (parts.length !== others.length) return false
    return parts.every((part, index) =>
      index % 2 ? this.bind(part, others[index] as string, stack) : part === others[index],
    )
  }

  private bind(e: string, f: string, stack: [unknown, unknown][]): boolean {
    const partner = this.forward.get(e)
    if (partner !== undefined) return partner === f
    if (this.backward.has(f)) return false
    const [ours, theirs] = [this.expected.ids.info(e), this.actual.ids.info(f)]
    if (!ours || !theirs) return false
    if (ours.kind === 'initial' || theirs.kind === 'initial') {
      if (ours.kind !== theirs.kind || ours.index !== theirs.index) return false
    } else if (ours.isGone !== theirs.isGone) return false
    else if (ours.isGone) stack.push([ours.last, theirs.last])
    this.change(
      () => (this.forward.set(e, f), this.backward.set(f, e)),
      () => (this.forward.delete(e), this.backward.delete(f)),
    )
    return true
  }

  private group(
    expected: readonly unknown[],
    actual: readonly unknown[],
    stack: [unknown, unknown][],
    keep: boolean,
  ): boolean {
    if (expected.length !== actual.length) return false
    if (!keep) return true
    const ours = this.classify(expected, this.expected.ids)
    const theirs = this.classify(actual, this.actual.ids)
    if (ours.size !== theirs.size) return false
    for (const [name, elements] of ours) if (theirs.get(name)?.length !== elements.length) return false
    for (const [name, elements] of ours) {
      const others = theirs.get(name) as unknown[]
      if (elements.length === 1) stack.push([elements[0], others[0]])
      else this.addClass(elements, others)
    }
    return true
  }

  private addClass(expected: readonly unknown[], actual: readonly unknown[]) {
    const none = () => expected.map(() => false)
    const loose =
      expected.every((e) => isLoose(e, this.expected, this.tolerance)) &&
      actual.every((f) => isLoose(f, this.actual, this.tolerance))
    this.change(
      () =>
        this.classes.push({ expected, actual, loose, done: none(), isTaken: none(), left: expected.length }),
      () => this.classes.pop(),
    )
  }

  private classify(elements: readonly unknown[], ids: IdTable): Map<string, unknown[]> {
    const options = { ids, maskNumbers: this.tolerance > 0, visit: this.visit }
    return Map.groupBy(elements, (element) => computeSignature(element, options))
  }
}

type MatchingFields = Record<string, unknown>
