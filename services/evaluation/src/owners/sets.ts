/** Sets of test cases as they are stored: the very lines of cases.jsonl, one document each, so that exports are byte for byte. */
import { type BenchmarkCase, type Manifest, ProblemError } from '@stateeval/contracts'
import type { Cached } from '../memory.ts'
import type { Store } from '../store.ts'

export interface Sets {
  /** Stores a set. Repeated with the same contents, it changes nothing but what is missing or damaged. */
  store(
    id: string,
    set: { manifest: Manifest; lines: readonly string[]; ids: readonly string[]; readme: string },
  ): Promise<void>
  /** The n-th case, from 0. */
  case(id: string, n: number): Promise<BenchmarkCase>
  line(id: string, n: number): Promise<string>
  /** Ids of the cases, in order. */
  ids(id: string): Promise<readonly string[]>
  readme(id: string): Promise<string>
  remove(id: string): Promise<void>
}
const inParallel = 8

export function setsIn(store: Store, context: Cached): Sets {
  const parts = store.once<string>('cases')
  const lineId = (id: string, n: number) => `${id}/${String(n).padStart(7, '0')}`
  const bad = (key: string, says: string) =>
    new ProblemError(
      'internal',
      `${key}, a part of a benchmark, ${says} in the store; import its folder again, or build it again`,
    )
  const read = (key: string) =>
    parts.get(key).catch((error: unknown) => {
      throw error instanceof SyntaxError ? bad(key, 'is torn') : error
    })
  const need = async (key: string) => {
    const found = await read(key)
    if (found === null) throw bad(key, 'is missing')
    return found
  }
  const keep = async (key: string, text: string) => {
    if (await parts.put(key, text)) return
    const there = await read(key).catch((error: unknown) => {
      if (error instanceof ProblemError) return null
      throw error
    })
    if (there === text) return
    await parts.remove(key)
    await parts.put(key, text)
  }
  const parsed = async (key: string): Promise<unknown> => {
    const text = await need(key)
    try {
      return JSON.parse(text)
    } catch {
      throw bad(key, 'is torn')
    }
  }
  const line = (id: string, n: number) => need(lineId(id, n))
  return {
    async store(id, { lines, ids, readme }) {
      let next = 0
      const lane = async () => {
        for (let n = next++; n < lines.length; n = next++) await keep(lineId(id, n), lines[n] as string)
      }
      await Promise.all(Array.from({ length: inParallel }, lane))
      await keep(`${id}/ids`, JSON.stringify(ids))
      await keep(`${id}/readme`, readme)
    },
    line,
    case: (id, n) =>
      context.cache(`case/${lineId(id, n)}`, async () => (await parsed(lineId(id, n))) as BenchmarkCase),
    ids: (id) => context.cache(`ids/${id}`, async () => (await parsed(`${id}/ids`)) as string[]),
    readme: (id) => need(`${id}/readme`),
    remove: (id) => parts.drop(id),
  }
}
