/**
 * Idempotency-Key on creating requests: the first request's response is stored and returned again for the
 * same key. A crash between creating and storing is covered by ids derived from the key, see
 * Platform.newId.
 */
import { type JobPayload, ProblemError, sha256 } from '@stateeval/contracts'
import { waitForInsert } from '../mongo.ts'
import type { ServicePlatform } from '../platform.ts'
import type { AnyAnswer } from './handler.ts'
import { parseJsonText } from './json-text.ts'

interface KeyDocument {
  _id: string
  /** Hash of path and body: the same key with another request is a mistake of the caller. */
  fingerprint: string
  at: Date
}
/**
 * An answer by key and fingerprint, beside its key's document, so that both are inserted and none is ever
 * changed.
 */
interface AnswerDocument {
  _id: string
  status: number
  headers?: Record<string, string>
  /** JSON text of a payload: an answer may be larger than a document. */
  body: string
}

/** A streamed answer in one piece: it is stored to be given again, and is no larger than answers may be. */
const collectAnswer = async ({ json, ...answer }: AnyAnswer): Promise<AnyAnswer> =>
  json ? { ...answer, body: await parseJsonText(json) } : answer

/** Time that a first request may take before another one with its key takes over. */
const abandonedAfterMs = 30_000

interface KeyedRequest {
  key: string
  operation: string
  /** All that the answer depends on. */
  request: unknown
}

/**
 * Creates, unless the same request already did under this key: then returns its response, or throws a
 * problem if there is none yet or if the key came with a different request. `create` gets the text from
 * which ids are made: of key and request, because a partial failure frees its key.
 */
export async function createOnce(
  { mongo, artifacts, now }: Pick<ServicePlatform, 'mongo' | 'artifacts' | 'now'>,
  { key, operation, request }: KeyedRequest,
  create: (idempotencyKey: string) => Promise<AnyAnswer>,
): Promise<AnyAnswer> {
  const keys = mongo.collection<KeyDocument>('idempotency')
  const answers = mongo.collection<AnswerDocument>('idempotency-answers')
  const _id = `${operation}:${sha256(key)}`
  const fingerprint = sha256(JSON.stringify(request) ?? '')
  const at = now()
  let first: boolean
  while (!(first = await waitForInsert(keys.insertOne({ _id, fingerprint, at })))) {
    const keyDocument = await keys.findOne({ _id })
    // The request that had it has just failed.
    if (!keyDocument) continue
    if (keyDocument.fingerprint !== fingerprint)
      throw new ProblemError(
        'unprocessable',
        'an earlier request used this Idempotency-Key; use a new key',
        'Idempotency-Key',
      )
    const answer = await answers.findOne({ _id: `${_id}:${fingerprint}` })
    if (answer) {
      const { status, headers, body } = answer
      const replayedBody = await artifacts.unpack(JSON.parse(body) as JobPayload)
      return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body: replayedBody }
    }
    // Clocks of replicas may differ by more than that: a time in the future is none to wait for.
    if (Math.abs(at.getTime() - keyDocument.at.getTime()) >= abandonedAfterMs) break
    throw new ProblemError(
      'conflict',
      'the first request with this Idempotency-Key is not answered yet; try again in a moment',
      'Idempotency-Key',
    )
  }
  try {
    const answer = await collectAnswer(await create(`${operation}:${key}:${fingerprint}`))
    const { status, headers } = answer
    const { text: body } = await artifacts.pack(answer.body)
    await waitForInsert(
      answers.insertOne({ _id: `${_id}:${fingerprint}`, status, ...(headers && { headers }), body }),
    )
    return answer
  } catch (error) {
    // A request that took over from another leaves it the key: that one may still be running.
    if (first) await keys.deleteOne({ _id }).catch(() => undefined)
    throw error
  }
}
