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
  answer?: Pick<AnyAnswer, 'status' | 'headers'> & { body: string }
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
    if (known?.answer) {
      const { status, headers, body } = known.answer
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
    await keys.updateOne({ _id }, { $set: { answer: { status, ...(headers && { headers }), body: JSON.stringify(body ?? null) } } })
    return answer
  } catch (error) {
    await keys.deleteOne({ _id }).catch(() => undefined)
    throw error
  }
}
