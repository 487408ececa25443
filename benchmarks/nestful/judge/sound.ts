/** Section 5.3 of the paper, mended: what the policy `sound` measures of one answer. */
import type { ListedCall } from '@stateeval/contracts'
import type { GoldCall } from '../case.ts'
import { alignInOrder, assign, type Alignment, exchanged, isSameCall, sameByPairs } from './align.ts'
import { linkedOf, type Linked, linksOf } from './calls.ts'
import { isomorphism } from './isomorphism.ts'
import { alikeArguments } from './values.ts'

export interface SoundMatch {
  gold: Linked
  prediction: Linked
  alignment: Alignment
  /** For each gold call, whether its predicted call is the same. */
  equal: boolean[]
  partial: number
  full: boolean
  /** The same without regard to order: references alone say what comes before what. */
  graphPartial: number
  graphFull: boolean
  /**
   * For each gold call, the predicted one that references to it should lead to, whatever the order.
   * Calls that are alike are exchanged where more references fit so.
   */
  graphPairs: readonly (number | null)[]
  names: Counts
  arguments: Counts
}
export interface Counts {
  correct: number
  predicted: number
  gold: number
}

/** The gold calls of a case are the same for all its samples. */
const linked = new WeakMap<readonly GoldCall[], Linked>()
function goldLinks(calls: readonly GoldCall[]): Linked {
  const links = linked.get(calls) ?? linkedOf(calls)
  linked.set(calls, links)
  return links
}

export function soundMatch(goldCalls: readonly GoldCall[], calls: readonly ListedCall[]): SoundMatch {
  const [gold, prediction] = [goldLinks(goldCalls), linkedOf(calls)]
  const alignment = alignInOrder(gold, prediction)
  // The target of a reference does not depend on order: a call in the wrong place costs only itself.
  let graph = assign(gold, prediction)
  const equalCalls = ({ pairs }: Alignment) => {
    const same = sameByPairs(gold, prediction, graph.pairs)
    return pairs.map((j, i) => j !== null && isSameCall(gold, prediction, i, j, same))
  }
  let graphEqual = count(equalCalls(graph))
  if (graphEqual < graph.slots) {
    // Calls that are alike were paired in order; another pairing may fit more references, or all.
    const pairs = isomorphism(gold, prediction)
    graph =
      pairs !== null && pairs !== 'undecided'
        ? { pairs, slots: pairs.length }
        : { ...graph, pairs: exchanged(gold, prediction, graph.pairs) }
    graphEqual = count(equalCalls(graph))
  }
  const equal = equalCalls(alignment)
  const matched = count(equal)
  const runnable = prediction.calls.every((_, at) =>
    linksOf(prediction, at).every(({ target }) => typeof target === 'number'),
  )
  return {
    gold,
    prediction,
    alignment,
    equal,
    partial: matched / alignment.slots,
    full: matched === alignment.slots,
    graphPartial: graphEqual / graph.slots,
    graphFull: graphEqual === graph.slots && runnable,
    graphPairs: graph.pairs,
    names: nameCounts(gold, prediction),
    arguments: argumentCounts(gold, prediction, graph),
  }
}
const count = (values: readonly boolean[]) => values.filter(Boolean).length

/** With multiplicity; a name that no API has costs precision like any other. */
function nameCounts(gold: Linked, prediction: Linked): Counts {
  const left = new Map<string, number>()
  for (const { name } of gold.calls) left.set(name, (left.get(name) ?? 0) + 1)
  let correct = 0
  for (const { name } of prediction.calls) {
    const count = left.get(name) ?? 0
    if (count === 0) continue
    correct++
    left.set(name, count - 1)
  }
  return { correct, predicted: prediction.calls.length, gold: gold.calls.length }
}

function argumentCounts(gold: Linked, prediction: Linked, { pairs }: Alignment): Counts {
  const same = sameByPairs(gold, prediction, pairs)
  let correct = 0
  for (const [i, j] of pairs.entries())
    if (j !== null) correct += alikeArguments({ gold, prediction, i, j }, same).alike
  const total = ({ calls }: Linked) => calls.reduce((sum, { args }) => sum + args.size, 0)
  return { correct, predicted: total(prediction), gold: total(gold) }
}
