/** A sample as the engine leads it: what its episode has recorded is loaded before each step, and stored before the step's state. */
import { type ArtifactCache, type Artifacts, isLong, type Threads } from '@stateeval/service-kit'
import type { ItemFlow, Next } from '@stateeval/workflow'
import type { Cached } from '../memory.ts'
import { type Entry, entriesOf, type EntryStore, settled } from '../flows/dialogue.ts'
import type { ItemAnswer, ItemNeed } from '../flows/flow.ts'
import { sampleFlow } from '../flows/sample-flow.ts'
import type { SampleContext, SampleState, Step } from '../flows/sample.ts'
import { artifactsOf, isLongReply, stepApart } from '../threads/apart.ts'

interface EntryStores extends Cached {
  artifacts: Artifacts
}
/** Where a sample's entries are kept, and where its long answers are read. */
export interface SampleStores extends EntryStores {
  artifactCache: ArtifactCache
  threads: Threads
}

export const entryStore = ({ artifacts, cache }: EntryStores): EntryStore => ({
  async put(entries) {
    const hash = await artifacts.putJson(entries)
    // The next steps of this dialogue need them, mostly here.
    void cache(`entries/${hash}`, async () => entries)
    return hash
  },
  get: (hash) => cache(`entries/${hash}`, async () => (await artifacts.getJson(hash)) as readonly Entry[]),
})

export function sampleItem(
  { artifactCache, threads, ...stores }: SampleStores,
  context: SampleContext,
): ItemFlow<ItemNeed> {
  const store = entryStore(stores)
  const kept = async (step: Step): Promise<Next> => {
    // A state that only waits for its score is not followed by another one.
    if (!('state' in step) || step.state.step === 'score') return step
    return { ...step, state: { ...step.state, log: await settled(step.state.log, store) } }
  }
  const loaded = (state: SampleState) => entriesOf(state.log, store)
  const apart = async (state: SampleState | null, answer: ItemAnswer | null, entries: readonly Entry[]) => {
    const artifacts = await artifactCache.load(artifactsOf(context.case))
    const crossing = { ...context, benchmark: context.benchmark.id, artifacts }
    return (await stepApart(threads, 'sample', { state, answer, context: crossing, entries })) as Step
  }
  const { responder } = context
  const isGivenLong = responder.kind === 'given' && isLong(responder.replies)
  return {
    // What a beginning appends is computed anew each time, and needs no place in the store.
    start: () => (isGivenLong ? apart(null, null, []) : sampleFlow.start(context)),
    async resume(now, outcome) {
      const [state, answer] = [now as SampleState, outcome as ItemAnswer]
      const entries = await loaded(state)
      const isApart = isGivenLong || isLongReply(answer)
      return kept(
        isApart ? await apart(state, answer, entries) : sampleFlow.resume(state, answer, context, entries),
      )
    },
    need: async (state) => sampleFlow.need(state as SampleState, context, await loaded(state as SampleState)),
  }
}
