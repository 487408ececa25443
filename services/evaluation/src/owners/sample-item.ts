/** A sample as the engine leads it: what its episode has recorded is loaded before each step, and stored before the step's state. */
import type { ItemFlow, Next } from '@stateeval/workflow'
import type { EvaluationContext } from '../context.ts'
import { type Entry, entriesOf, type EntryStore, settled } from '../flows/dialogue.ts'
import type { Need } from '../flows/flow.ts'
import { sampleFlow } from '../flows/sample-flow.ts'
import type { SampleContext, SampleState, Step } from '../flows/sample.ts'

type Stores = Pick<EvaluationContext, 'artifacts' | 'cache'>

export const entryStore = ({ artifacts, cache }: Stores): EntryStore => ({
  put: (entries) => artifacts.putJson(entries),
  get: (hash) => cache(`entries/${hash}`, async () => (await artifacts.getJson(hash)) as readonly Entry[]),
})

export function sampleItem(stores: Stores, context: SampleContext): ItemFlow<Need> {
  const store = entryStore(stores)
  const kept = async (step: Step): Promise<Next> => {
    // A state that only waits for its score is not followed by another one.
    if (!('state' in step) || step.state.step === 'score') return step
    return { ...step, state: { ...step.state, log: await settled(step.state.log, store) } }
  }
  const loaded = (state: SampleState) => entriesOf(state.log, store)
  return {
    // What a beginning appends is computed anew each time, and needs no place in the store.
    start: () => sampleFlow.start(context),
    resume: async (state, answer) =>
      kept(sampleFlow.resume(state as SampleState, answer as never, context, await loaded(state as SampleState))),
    need: async (state) => sampleFlow.need(state as SampleState, context, await loaded(state as SampleState)),
  }
}
