/**
 * JSON bodies as bytes. They are counted while they arrive, and read where they hold nobody up
 * (read-body.ts).
 */
import { type HttpOperation, ProblemError } from '@stateeval/contracts'
import { errorCodes, type FastifyInstance, type FastifyRequest, type RequestPayload } from 'fastify'
import { computeQuarterMiB } from '../own-memory.ts'
import { smallBytes } from './checked-body.ts'
import { PartCounter } from './part-counter.ts'

/** Values and names of members of a body, at most, where its operation says nothing else. */
export const usualParts = 250_000
/** Limit of values and members in any document. */
export const mostParts = 1_000_000
const segmentBytes = 4 * 2 ** 20
/** Room for all larger bodies of a process together, whether they are still arriving or are being read. */
const usualRoom = computeQuarterMiB(512) * 2 ** 20

/** Bytes that large bodies may have, all together. */
interface BodyRoom {
  left: number
}

export class JsonBody {
  readonly #memory: BodyRoom
  readonly #counter = new PartCounter()
  #segments: Uint8Array[] = []
  /** Room in the last segment, which is shared memory. */
  #room = 0
  #held = 0
  length = 0

  constructor(memory: BodyRoom) {
    this.#memory = memory
  }
  get parts(): number {
    return this.#counter.parts
  }
  /** In order; the last one may have more room than it has bytes of the body. */
  get segments(): readonly Uint8Array[] {
    return this.#segments
  }
  get isSmall(): boolean {
    return this.length <= smallBytes
  }

  /** Throws a problem where all bodies together are too large. */
  add(chunk: Uint8Array): void {
    this.#counter.add(chunk)
    const wasSmall = this.isSmall
    this.length += chunk.length
    if (this.isSmall) return void this.#segments.push(chunk)
    if (!wasSmall) return this.#share(chunk)
    const small = this.#segments
    this.#segments = []
    for (const one of [...small, chunk]) this.#share(one)
  }

  /** The bytes are needed no more. */
  release(): void {
    this.#memory.left += this.#held
    this.#held = 0
    this.#segments = []
  }

  #share(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#room === 0) this.#addSegment()
      const segment = this.#segments.at(-1)!
      const part = chunk.subarray(at, at + this.#room)
      segment.set(part, segment.length - this.#room)
      this.#room -= part.length
      at += part.length
    }
  }

  #addSegment(): void {
    if (segmentBytes > this.#memory.left)
      throw new ProblemError(
        'unavailable',
        'the service is receiving as many large bodies as it can hold; try again in a moment',
      )
    this.#memory.left -= segmentBytes
    this.#held += segmentBytes
    this.#segments.push(new Uint8Array(new SharedArrayBuffer(segmentBytes)))
    this.#room = segmentBytes
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Values and names that a body of this route may have. */
    maxParts?: number
  }
}
export const getMaxParts = ({ bodyParts = usualParts }: HttpOperation) => bodyParts

/** Bodies of routes become a JsonBody, which whoever reads it releases. */
export function addJsonBodies(app: FastifyInstance, room: BodyRoom = { left: usualRoom }): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: RequestPayload) =>
    collect(request, payload, room),
  )
}

async function collect(request: FastifyRequest, payload: RequestPayload, room: BodyRoom): Promise<JsonBody> {
  const { bodyLimit, config } = request.routeOptions
  const { maxParts = usualParts } = config
  const announced = Number(request.headers['content-length'] ?? NaN)
  if (announced > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  const body = new JsonBody(room)
  try {
    await new Promise<void>((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        try {
          body.add(chunk)
          if (body.length > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
          if (body.parts > maxParts)
            throw new ProblemError(
              'payload-too-large',
              `the body has more than ${maxParts} values and names; send it in several requests`,
            )
        } catch (error) {
          end(error as Error)
        }
      }
      const end = (error?: Error) => {
        payload.off('data', onData).off('end', end).off('error', broken).off('close', broken)
        if (error) reject(error)
        else resolve()
      }
      // A project's limit of bytes has its own problem type.
      const broken = (error?: Error) =>
        end(error instanceof ProblemError ? error : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      payload.on('data', onData).once('end', end).once('error', broken).once('close', broken)
      payload.resume()
    })
    if (!Number.isNaN(announced) && body.length !== announced)
      throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
    if (body.length === 0) throw new errorCodes.FST_ERR_CTP_EMPTY_JSON_BODY()
    return body
  } catch (error) {
    body.release()
    throw error
  }
}
