/**
 * Idempotency-Key on creating requests: the first request's answer is stored and given again for the same key. A crash
 * between creating and storing is covered by ids that are derived from the key, see Platform.newId.
 */
import { createHash } from 'node:crypto'
import { ProblemError } from '@stateeval/contracts'
import { isDuplicate, type Mongo } from '../mongo.ts'
import type { AnyAnswer } from './handler.ts'

interface KeyDocument {
  _id: string
  /** Of path and body: the same key with another request is a mistake of the caller. */
  fingerprint: string
  at: Date
}
/** Beside its key's document, so that both are inserted and none is ever changed. */
interface AnswerDocument {
  _id: string
  status: number
  headers?: Record<string, string>
  body: string
}

/** How long a first request may take before another one with its key goes on in its place. */
const abandonedAfterMs = 30_000

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

export async function once(
  mongo: Mongo,
  { key, operation, request, now }: { key: string; operation: string; request: unknown; now: Date },
  create: () => Promise<AnyAnswer>,
): Promise<AnyAnswer> {
  const keys = mongo.collection<KeyDocument>('idempotency')
  const answers = mongo.collection<AnswerDocument>('idempotency-answers')
  const _id = `${operation}:${digest(key)}`
  const fingerprint = digest(JSON.stringify(request) ?? '')
  try {
    await keys.insertOne({ _id, fingerprint, at: now })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const known = await keys.findOne({ _id })
    if (known && known.fingerprint !== fingerprint) {
      throw new ProblemError('unprocessable', 'this Idempotency-Key came with another request before; use a new key', 'Idempotency-Key')
    }
    const given = await answers.findOne({ _id })
    if (given) {
      const { status, headers, body } = given
      return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body: JSON.parse(body) as unknown }
    }
    if (known && now.getTime() - known.at.getTime() < abandonedAfterMs) {
      throw new ProblemError(
        'conflict',
        'the first request with this Idempotency-Key is not answered yet; try again in a moment',
        'Idempotency-Key',
      )
    }
  }
  try {
    const answer = await create()
    const { status, headers, body } = answer
    await answers.insertOne({ _id, status, ...(headers && { headers }), body: JSON.stringify(body ?? null) }).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error
    })
    return answer
  } catch (error) {
    await keys.deleteOne({ _id }).catch(() => undefined)
    throw error
  }
}
