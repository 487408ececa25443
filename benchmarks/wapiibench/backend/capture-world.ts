/**
 * The world `axios-capture`: requests of axios are captured and answered at once, never sent; there are no
 * sockets. Its state is { requests }, in the order in which they would have been sent. What each holds is
 * what axios-mock-adapter gives its handlers, so an evaluator that was written for that finds everything
 * here.
 */
import type { CapturedRequest, JsonValue, LoggedRequest } from '@stateeval/contracts'
import type { CaptureReply, SandboxWorld } from '@stateeval/sandbox'
import { InitialError } from '@stateeval/sandbox/initial-error'

/** Limit of a request's body, in the log. */
const loggedCharacters = 4096

/**
 * An initial world is {}, or { "reply": { "status", "data" } }: how every request is answered. Default: 200
 * without a body. Its `files` are texts that the program can read, by name. With
 * `"fetch": true`, requests of fetch are captured as well.
 */
export const createCaptureWorld = (): SandboxWorld => ({
  id: 'axios-capture',
  languages: ['javascript'],
  async open(initial, { requests: maxRequests }) {
    const { files: given, fetch = false, ...rest } = requireObject(initial, 'world')
    const files = readFiles(given)
    const reply = readReply(rest)
    let captures: CapturedRequest[] = []
    return {
      channel: {
        kind: 'capture',
        reply,
        ...(files && { files }),
        ...(fetch === true && { fetch }),
        take: (requests) => void (captures = requests),
      },
      async observe() {
        return {
          world: {
            state: { requests: captures.slice(0, maxRequests) },
            ids: { initial: [], created: [] },
            gone: [],
          },
          log: captures.slice(0, maxRequests).map((request) => logCapturedRequest(request, reply.status)),
          faults: [],
          ...(captures.length > maxRequests && { exceeded: 'requests' as const }),
        }
      },
      async close() {},
    }
  },
  async close() {},
})

function readReply({ reply, ...others }: Record<string, JsonValue>): CaptureReply {
  const other = Object.keys(others)[0]
  if (other !== undefined)
    throw new InitialError(
      `world.${other}: give {}, { "reply": { "status", "data" } } or { "files": { name: text } }`,
    )
  if (reply === undefined) return { status: 200 }
  const { status = 200, ...data } = requireObject(reply, 'world.reply')
  if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
    throw new InitialError('world.reply.status: give an HTTP status from 200 to 599')
  return { status: status as number, ...('data' in data && { data: data['data'] }) }
}

function readFiles(files: JsonValue | undefined): Record<string, string> | undefined {
  if (files === undefined) return undefined
  for (const [name, text] of Object.entries(requireObject(files, 'world.files')))
    if (typeof text !== 'string') throw new InitialError(`world.files.${name}: give a text`)
  return files as Record<string, string>
}

function requireObject(value: JsonValue, at: string): Record<string, JsonValue> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new InitialError(`${at}: give an object`)
}

const logCapturedRequest = ({ method, url, uri, data }: CapturedRequest, status: number): LoggedRequest => ({
  method: method.toUpperCase(),
  path: uri ?? url ?? '',
  status,
  ...(data !== undefined && {
    requestBody: (typeof data === 'string' ? data : JSON.stringify(data)).slice(0, loggedCharacters),
  }),
})
