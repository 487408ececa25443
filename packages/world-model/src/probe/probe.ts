/** Probing: direct calls, then sequences that choose among variants of the model, mask, and drop. */
import { createRng } from '@stateeval/program'
import type { DroppedPart } from '../infer/operation.ts'
import type { WorldModel } from '../model.ts'
import { formatPointer, parsePointer } from '../pointer.ts'
import type { ProbeHost } from './learn/context.ts'
import { learnByCalls } from './learn/index.ts'
import {
  type CallTranscript,
  cutTranscript,
  recordTranscript,
  replayAll,
  type StepDifference,
} from './transcript.ts'
import { applyVariant, listVariants } from './variants.ts'

export interface LiveHost extends Omit<ProbeHost, 'rng'> {
  /** Empties the world. */
  reset: () => Promise<void>
}
export interface ProbeOptions {
  seed?: number
  rounds?: number
  sequences?: number
  length?: number
  onProgress?: (text: string) => void
}
export interface ProbedWorld {
  model: WorldModel
  dropped: readonly DroppedPart[]
  /** Places of facts that another value explained better. */
  corrected: readonly string[]
  masked: readonly string[]
  agreed: number
  calls: number
}

/** Learns from a live API what its document leaves out. */
export async function probeWorld(
  start: WorldModel,
  host: LiveHost,
  { seed = 1, rounds = 8, sequences = 6, length = 25, onProgress = () => {} }: ProbeOptions = {},
): Promise<ProbedWorld> {
  const rng = createRng(`probe ${seed}`)
  await host.reset()
  const learned = await learnByCalls(start, { ...host, rng: rng.fork('learn') })
  const dropped: DroppedPart[] = [...learned.dropped]
  const corrected = new Set<string>()
  const masked = new Set<string>()
  let model = keepFacts(learned.model, learned.learned)
  let kept: CallTranscript[] = []
  let result = { agreed: 0, calls: 0 }
  let clean = 0
  for (let round = 0; round < rounds && Object.keys(model.operations).length > 0; round++) {
    const recorded: CallTranscript[] = []
    for (let n = 0; n < sequences; n++) {
      await host.reset()
      recorded.push(
        await recordTranscript(model, host.send, rng.fork(`round ${round} ${n}`), {
          length,
          prefix: host.prefix,
          faults: 0.1,
        }),
      )
    }
    kept = [...kept, ...recorded].slice(-3 * sequences)
    const before = replayAll(model, recorded)
    onProgress(`Round ${round + 1}: ${before.agreed} of ${before.calls} calls as predicted`)
    result = { agreed: before.agreed, calls: before.calls }
    // Rare habits show in one round, and not in another.
    clean = before.differences.length === 0 ? clean + 1 : 0
    if (clean === 2) break
    if (clean > 0) continue
    model = chooseVariants(model, kept, corrected)
    model = repairRest(model, kept, { masked, dropped })
    kept = kept.map((transcript) => cutTranscript(model, transcript))
  }
  await host.reset()
  return { model, dropped, corrected: [...corrected], masked: [...masked], ...result }
}

/** Facts that calls have shown are the probe's. */
function keepFacts(model: WorldModel, learned: ReadonlySet<string>): WorldModel {
  const facts = Object.fromEntries(
    Object.entries(model.facts).filter(([pointer]) => hasPlace(model, pointer)),
  )
  for (const pointer of learned) if (hasPlace(model, pointer)) facts[pointer] = { by: 'probe', confirmed: 1 }
  return { ...model, facts }
}
function hasPlace(model: WorldModel, pointer: string): boolean {
  let at: unknown = model
  for (const key of parsePointer(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = (at as Record<string, unknown>)[key]
  }
  return true
}

/** Changes one fact after the other to the value that explains the most calls. */
function chooseVariants(
  start: WorldModel,
  transcripts: readonly CallTranscript[],
  corrected: Set<string>,
): WorldModel {
  let model = start
  let best = replayAll(model, transcripts).agreed
  for (let changes = 0; changes < 30; changes++) {
    const [top] = listVariants(model)
      .map((variant) => ({ variant, agreed: replayAll(applyVariant(model, variant), transcripts).agreed }))
      .sort((a, b) => b.agreed - a.agreed)
    if (!top || top.agreed <= best) break
    best = top.agreed
    model = applyVariant(model, top.variant)
    corrected.add(top.variant.place)
    if (top.variant.value !== undefined) model = noteFact(model, top.variant.place)
  }
  return keepFacts(model, new Set())
}
const noteFact = (model: WorldModel, place: string): WorldModel => ({
  ...model,
  facts: { ...model.facts, [place]: { by: 'probe', confirmed: 1 } },
})

/** Masks members that stay unexplained; drops operations whose outcome does. */
function repairRest(
  model: WorldModel,
  transcripts: readonly CallTranscript[],
  log: { masked: Set<string>; dropped: DroppedPart[] },
): WorldModel {
  const next = structuredClone(model)
  for (const difference of replayAll(model, transcripts).differences) {
    const operation = next.operations[difference.operation]
    if (!operation) continue
    const type = next.types[operation.type]!
    const member = findMember(difference, operation.answer.at ?? [], operation.answer.is === 'list')
    if (member === 'envelope') {
      const [top = ''] = parsePointer(difference.place)
      const beside = Object.entries(operation.answer.beside ?? {}).filter(
        ([key]) => parsePointer(key)[0] !== top,
      )
      operation.answer.beside = { ...Object.fromEntries(beside), [formatPointer([top])]: { is: 'anything' } }
    } else if (member !== null && member !== type.identity.field && !operation.answer.told) {
      const pointer = formatPointer([member])
      if (type.masked?.includes(pointer)) continue
      type.masked = [...(type.masked ?? []), pointer]
      log.masked.add(formatPointer(['types', operation.type, 'masked', pointer]))
    } else if (countOutcomes(model, transcripts, difference.operation) === 'never') {
      log.dropped.push({
        what: difference.operation,
        reason: `its outcome is not predicted: ${difference.kind} at ${difference.place || 'the answer'}, expected ${JSON.stringify(difference.expected)?.slice(0, 80)}, was ${JSON.stringify(difference.actual)?.slice(0, 80)}`,
      })
      delete next.operations[difference.operation]
    }
  }
  return keepFacts(next, new Set())
}

/** The field of the item in which a difference lies; null where it is the outcome, or the length. */
function findMember({ place, kind }: StepDifference, at: readonly string[], isList: boolean): string | null {
  if (['status', 'refused', 'accepted'].includes(kind)) return null
  const path = parsePointer(place)
  if (!at.every((key, n) => path[n] === key)) return 'envelope'
  const rest = path.slice(at.length + (isList ? 1 : 0))
  return rest[0] ?? null
}

/** Whether an operation is often predicted: then its differences have another cause. */
function countOutcomes(
  model: WorldModel,
  transcripts: readonly CallTranscript[],
  operation: string,
): 'never' | 'often' {
  let wrong = 0
  let all = 0
  for (const transcript of transcripts) {
    const { differences } = replayAll(model, [transcript])
    const reached =
      differences.find(({ kind }) => kind === 'refused' || kind === 'accepted')?.step ?? transcript.length
    transcript.slice(0, reached + 1).forEach(({ call }, step) => {
      if (call.operation !== operation) return
      all++
      if (differences.some((one) => one.step === step)) wrong++
    })
  }
  return wrong * 4 > all ? 'never' : 'often'
}
