/**
 * Reads bodies: in place where that takes a few milliseconds, else in a thread with a limit on memory and
 * time, whose result comes in slices. A service names what it makes of a body before its handler gets it,
 * so that long work on a body happens there, too.
 */
import type { HttpOperation } from '@stateeval/contracts'
import type { BodyModule, BodyWork, ComputedAnswer } from './body-works.ts'
import { createThreads, type ThreadPool } from '../threads/index.ts'
import { type BodyBytes, checkBody, parseBody } from './checked-body.ts'
import { JsonBody } from './json-body.ts'

export interface BodyReader {
  /** Throws a problem that names the field at fault. */
  read(id: string, body: unknown, options: { signal: AbortSignal; isIdentified: boolean }): Promise<ReadBody>
  close(): Promise<void>
}
export interface ReadBody {
  /** For the handler. */
  value: unknown
  /** The identity of this body, if it is to be identified. */
  identity: unknown
}
type ReadOptions = Parameters<BodyReader['read']>[2]

/**
 * Bodies with more are read in a thread. Checking a part against a schema of alternatives takes up to 20 µs,
 * so these take some 60 ms.
 */
const inPlace = { parts: 3000, madeBytes: 64 * 1024 }
const longestMs = { usual: 120_000, slow: 900_000 }

/** @param address of the module */
export function createBodyReader({ operations, works = {} }: BodyModule, address: string): BodyReader {
  const file = new URL('./read-apart.ts', import.meta.url)
  const threads = { usual: createThreads(file), slow: createThreads(file, { maxThreads: 1 }) }
  const apart = async (
    id: string,
    body: JsonBody,
    { signal, isIdentified }: ReadOptions,
  ): Promise<ReadBody> => {
    const { segments, length } = body
    const task: ReadTask = { module: address, id, bytes: { segments, length }, isIdentified }
    const kind = works[id]?.isSlow ? 'slow' : 'usual'
    const pool: ThreadPool = threads[kind]
    const read = await pool.run<ReadBody>('read', task, { maxMs: longestMs[kind], signal })
    return works[id]?.kind === 'computes'
      ? { ...read, value: createTextAnswer(read.value as string[]) }
      : read
  }
  return {
    async read(id, body, options) {
      const operation = operations[id] as HttpOperation
      const work = works[id]
      if (!(body instanceof JsonBody)) return await readBodyValue(checkBody(operation, body), work)
      try {
        const isShort =
          body.parts <= inPlace.parts && (work ? body.length <= inPlace.madeBytes : body.isSmall)
        if (!isShort) return await apart(id, body, options)
        const value = checkBody(operation, parseBody(body))
        const takesLong = work?.takesLong?.(value as never) === true
        return takesLong ? await apart(id, body, options) : await readBodyValue(value, work)
      } finally {
        body.release()
      }
    },
    async close() {
      await threads.usual.close()
      await threads.slow.close()
    },
  }
}

async function readBodyValue(body: unknown, work: BodyWork | undefined): Promise<ReadBody> {
  if (!work) return { value: body, identity: body }
  const made = await work.make(body as never, false)
  return { value: work.kind === 'computes' ? { status: 200, body: made } : made, identity: body }
}

const createTextAnswer = (pieces: readonly string[]): ComputedAnswer<never> => ({
  status: 200,
  json: (async function* () {
    yield* pieces
  })(),
})

export interface ReadTask {
  module: string
  id: string
  bytes: BodyBytes
  isIdentified: boolean
}
