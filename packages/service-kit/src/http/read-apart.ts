/** The thread that reads large bodies: as read-body.ts does in place. */
import { createHash } from 'node:crypto'
import { type HttpOperation, sha256 } from '@stateeval/contracts'
import { createChecker } from '../validation.ts'
import { type BodyBytes, checkBody, parseBody, smallBytes } from './checked-body.ts'
import type { BodyModule } from './body-works.ts'
import type { ReadBody, ReadTask } from './read-body.ts'

export async function read({ module, id, bytes, isIdentified }: ReadTask): Promise<ReadBody> {
  const { operations, works = {} } = (await import(module)) as BodyModule
  const operation = operations[id] as HttpOperation
  const work = works[id]
  if (work?.makeOfBytes && bytes.length > smallBytes)
    return {
      value: await work.makeOfBytes(bytes),
      identity: isIdentified ? { sha256: hashBody(bytes) } : null,
    }
  const body = checkBody(operation, parseBody(bytes))
  const value = work ? await work.make(body as never, true) : body
  return {
    value: work?.kind === 'computes' ? serializeAnswer(operation, value) : value,
    identity: isIdentified ? { sha256: sha256(JSON.stringify(body)) } : null,
  }
}

function hashBody({ segments, length }: BodyBytes): string {
  const hash = createHash('sha256')
  let left = length
  for (const segment of segments) {
    hash.update(segment.subarray(0, left))
    left -= Math.min(left, segment.length)
  }
  return hash.digest('hex')
}

const pieceLength = 64 * 1024

/**
 * The answer's text in pieces. The contract holds in both directions: what it does not know is a bug of
 * ours.
 */
function serializeAnswer({ success }: HttpOperation, value: unknown): string[] {
  const text = JSON.stringify(value)
  const schema = success[200]?.schema
  const breach = schema && createChecker(schema).fault(JSON.parse(text))
  if (breach) throw new Error(`the answer breaks its contract: ${breach.field || 'the body'} ${breach.says}`)
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, n) =>
    text.slice(n * pieceLength, (n + 1) * pieceLength),
  )
}
