/** Sets of test cases as they are stored: the very lines of cases.jsonl, one document each, so that exports are byte for byte. */
import type { BenchmarkCase, Manifest } from '@stateeval/contracts'
import type { EvaluationContext } from '../context.ts'
import type { Store } from '../store.ts'

export interface Sets {
  /** Stores a set. Repeated with the same contents, it changes nothing. */
  store(id: string, set: { manifest: Manifest; lines: readonly string[]; ids: readonly string[]; readme: string }): Promise<void>
  /** The n-th case, from 0. */
  case(id: string, n: number): Promise<BenchmarkCase>
  line(id: string, n: number): Promise<string>
  /** Ids of the cases, in order. */
  ids(id: string): Promise<readonly string[]>
  readme(id: string): Promise<string>
  remove(id: string): Promise<void>
}
const inParallel = 8

export function setsIn(store: Store, context: Pick<EvaluationContext, 'cache'>): Sets {
  const parts = store.once<string>('cases')
  const lineId = (id: string, n: number) => `${id}/${String(n).padStart(7, '0')}`
  const need = async (key: string) => {
    const found = await parts.get(key)
    if (found === null) throw new Error(`the part ${key} of a benchmark is missing`)
    return found
  }
  const line = (id: string, n: number) => need(lineId(id, n))
  return {
    async store(id, { lines, ids, readme }) {
      let next = 0
      const lane = async () => {
        for (let n = next++; n < lines.length; n = next++) await parts.put(lineId(id, n), lines[n] as string)
      }
      await Promise.all(Array.from({ length: inParallel }, lane))
      await parts.put(`${id}/ids`, JSON.stringify(ids))
      await parts.put(`${id}/readme`, readme)
    },
    line,
    case: (id, n) => context.cache(`case/${lineId(id, n)}`, async () => JSON.parse(await line(id, n)) as BenchmarkCase),
    ids: (id) => context.cache(`ids/${id}`, async () => JSON.parse(await need(`${id}/ids`)) as string[]),
    readme: (id) => need(`${id}/readme`),
    remove: (id) => parts.drop(id),
  }
}
