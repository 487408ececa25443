/** Section 5.3 of the paper, mended: what the policy `sound` measures of one answer. */
import type { ListedCall } from '@stateeval/contracts'
import type { GoldCall } from '../case.ts'
import {
  alignInOrder,
  assignCalls,
  type CallAlignment,
  exchangeAlike,
  isSameCall,
  sameByPairs,
} from './align.ts'
import { linkCalls, type LinkedCalls, listLinks } from './calls.ts'
import { findIsomorphism } from './isomorphism.ts'
import { countAlikeArguments } from './values.ts'

export interface SoundMatch {
  gold: LinkedCalls
  prediction: LinkedCalls
  alignment: CallAlignment
  /** For each gold call, whether its predicted call is the same. */
  equal: boolean[]
  partial: number
  full: boolean
  /** The same without regard to order: references alone say what comes before what. */
  graphPartial: number
  graphFull: boolean
  /**
   * For each gold call, the predicted one that references to it should lead to, in any order. Calls that are
   * alike are exchanged where more references fit so.
   */
  graphPairs: readonly (number | null)[]
  names: MatchCounts
  arguments: MatchCounts
}
interface MatchCounts {
  correct: number
  predicted: number
  gold: number
}

/** The gold calls of a case are the same for all its samples. */
const linked = new WeakMap<readonly GoldCall[], LinkedCalls>()
function loadGoldLinks(calls: readonly GoldCall[]): LinkedCalls {
  const links = linked.get(calls) ?? linkCalls(calls)
  linked.set(calls, links)
  return links
}

export function matchSound(goldCalls: readonly GoldCall[], calls: readonly ListedCall[]): SoundMatch {
  const [gold, prediction] = [loadGoldLinks(goldCalls), linkCalls(calls)]
  const alignment = alignInOrder(gold, prediction)
  // The target of a reference does not depend on order: a call in the wrong place costs only itself.
  let graph = assignCalls(gold, prediction)
  const equalCalls = ({ pairs }: CallAlignment) => {
    const same = sameByPairs(gold, prediction, graph.pairs)
    return pairs.map((j, i) => j !== null && isSameCall(gold, prediction, i, j, same))
  }
  let graphEqual = count(equalCalls(graph))
  if (graphEqual < graph.slots) {
    // Calls that are alike were paired in order; another pairing may fit more references, or all.
    const pairs = findIsomorphism(gold, prediction)
    graph =
      pairs !== null && pairs !== 'undecided'
        ? { pairs, slots: pairs.length }
        : { ...graph, pairs: exchangeAlike(gold, prediction, graph.pairs) }
    graphEqual = count(equalCalls(graph))
  }
  const equal = equalCalls(alignment)
  const matched = count(equal)
  const runnable = prediction.calls.every((_, at) =>
    listLinks(prediction, at).every(({ target }) => typeof target === 'number'),
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
    names: countNames(gold, prediction),
    arguments: countArguments(gold, prediction, graph),
  }
}
const count = (values: readonly boolean[]) => values.filter(Boolean).length

/** With multiplicity; a name that no API has costs precision like any other. */
function countNames(gold: LinkedCalls, prediction: LinkedCalls): MatchCounts {
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

function countArguments(gold: LinkedCalls, prediction: LinkedCalls, { pairs }: CallAlignment): MatchCounts {
  const same = sameByPairs(gold, prediction, pairs)
  let correct = 0
  for (const [i, j] of pairs.entries())
    if (j !== null) correct += countAlikeArguments({ gold, prediction, i, j }, same).alike
  const total = ({ calls }: LinkedCalls) => calls.reduce((sum, { args }) => sum + args.size, 0)
  return { correct, predicted: total(prediction), gold: total(gold) }
}
