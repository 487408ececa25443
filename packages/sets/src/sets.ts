/**
 * Stored sets of test cases: the exact lines of cases.jsonl, one document each, so exports are identical
 * byte for byte. Of a sealed stream, a document only names an artifact, which is encrypted.
 */
import { type BenchmarkCase, type EvaluationOptions, ProblemError } from '@stateeval/contracts'
import { type Benchmark, type BenchmarkSet, createRng } from '@stateeval/program'
import {
  type ProjectArtifacts,
  type CacheHolder,
  type DocumentStore,
  runSealed,
} from '@stateeval/service-kit'

export interface BenchmarkSets {
  /**
   * Stores a set, encrypted if it is `sealed`. Repeated with the same contents, it changes nothing but what
   * is missing or damaged.
   */
  store(id: string, set: Omit<BenchmarkSet, 'manifest'>, how?: { sealed: boolean }): Promise<void>
  /** The n-th case, from 0. */
  case(id: string, n: number): Promise<BenchmarkCase>
  line(id: string, n: number): Promise<string>
  /** Ids of the cases, in order. */
  ids(id: string): Promise<readonly string[]>
  readme(id: string): Promise<string>
  remove(id: string): Promise<void>
}
const inParallel = 8
/** Begins the name of the artifact that has a part of a sealed block; no JSON begins so. */
const sealedMark = 'sealed:'

export function openSets(
  store: DocumentStore,
  context: CacheHolder & { artifacts: Pick<ProjectArtifacts, 'put' | 'get'> },
): BenchmarkSets {
  const parts = store.fixed<string>('cases')
  const lineId = (id: string, n: number) => `${id}/${String(n).padStart(7, '0')}`
  const bad = (key: string, says: string) =>
    new ProblemError(
      'internal',
      `${key}, a part of a benchmark, ${says} in the store; import its folder again, or build it again`,
    )
  const read = (key: string) =>
    parts.get(key).catch((error: unknown) => {
      throw error instanceof SyntaxError ? bad(key, 'is damaged') : error
    })
  const need = async (key: string) => {
    const text = await read(key)
    if (text === null) throw bad(key, 'is missing')
    if (!key.startsWith('str_') || !text.startsWith(sealedMark)) return text
    const bytes = await context.artifacts.get(text.slice(sealedMark.length))
    if (bytes === null) throw bad(key, 'is missing')
    return Buffer.from(bytes).toString()
  }
  const keep = async (key: string, text: string, sealed: boolean) => {
    const put = () => context.artifacts.put(Buffer.from(text))
    const stored = sealed ? `${sealedMark}${await runSealed(true, put)}` : text
    if (await parts.put(key, stored)) return
    const before = await need(key).catch((error: unknown) => {
      if (error instanceof ProblemError) return null
      throw error
    })
    if (before === text) return
    await parts.remove(key)
    await parts.put(key, stored)
  }
  const parsed = async (key: string): Promise<unknown> => {
    const text = await need(key)
    try {
      return JSON.parse(text)
    } catch {
      throw bad(key, 'is damaged')
    }
  }
  const line = (id: string, n: number) => need(lineId(id, n))
  return {
    async store(id, { lines, ids, readme }, { sealed } = { sealed: false }) {
      let next = 0
      const worker = async () => {
        for (let n = next++; n < lines.length; n = next++)
          await keep(lineId(id, n), lines[n] as string, sealed)
      }
      await Promise.all(Array.from({ length: inParallel }, worker))
      await keep(`${id}/ids`, JSON.stringify(ids), sealed)
      await keep(`${id}/readme`, readme, sealed)
    },
    line,
    case: (id, n) =>
      context.cache(`case/${lineId(id, n)}`, async () => (await parsed(lineId(id, n))) as BenchmarkCase),
    ids: (id) => context.cache(`ids/${id}`, async () => (await parsed(`${id}/ids`)) as string[]),
    readme: (id) => need(`${id}/readme`),
    remove: (id) => parts.drop(id),
  }
}

/**
 * The solved cases that a `few-shot` prompt shows, in order: drawn by seed from the same set, once for all
 * samples of a case. There are fewer if the set has too few suitable ones; undefined for other kinds of
 * prompt. The benchmark decides which cases are suitable, never the case itself.
 */
export async function loadExamples(
  context: { sets: BenchmarkSets },
  set: string,
  benchmark: Benchmark,
  c: BenchmarkCase,
  {
    prompting,
    shots = 3,
    seed,
  }: Partial<Pick<EvaluationOptions, 'shots'>> & Pick<EvaluationOptions, 'prompting' | 'seed'>,
): Promise<BenchmarkCase[] | undefined> {
  if (prompting !== 'few-shot') return undefined
  const ids = await context.sets.ids(set)
  const order = createRng(`few-shot/${seed}/${c.id}`).shuffle(ids.map((_, at) => at))
  const examples: BenchmarkCase[] = []
  for (const at of order) {
    if (examples.length === shots) break
    const other = await context.sets.case(set, at)
    if (other.id !== c.id && benchmark.asking.mayShow?.(c, other)) examples.push(other)
  }
  return examples
}
