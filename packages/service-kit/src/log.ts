/**
 * Logs: JSON lines, or readable lines on a terminal. Members named key, token or password never appear in
 * them.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

import { findCurrentProject } from './access/project.ts'
import { openLogStream } from './log-stream.ts'
import type { SecretMask } from './secrets.ts'
import { getCurrentSpan } from './tracing/tracer.ts'

export type ServiceLog = Logger

const secretName = /(^|[-_.])(api-?key|key|authorization|token|password|secret|cookie)$/i
const camelSecret = /(Key|Token|Password|Secret|Authorization)$/

/** A copy in which every member with a secret's name is [redacted]. */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Error || depth > 6) return value
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      secretName.test(name) || camelSecret.test(name) ? '[redacted]' : redactSecrets(part, depth + 1),
    ]),
  )
}

/** A path without the query values of names like `api_key` and `code`. */
export function removeSecrets(url: string): string {
  const [path = '', ...queries] = url.split('?')
  if (queries.length === 0) return url
  const parts = queries
    .join('?')
    .split('&')
    .map((part) => {
      const name = part.split('=', 1)[0] ?? ''
      // The code of a sign-in at an OpenID provider.
      const isSecret = secretName.test(name) || camelSecret.test(name) || name === 'code'
      return isSecret && part.length > name.length ? `${name}=[redacted]` : part
    })
  return `${path}?${parts.join('&')}`
}

/** A message in which addresses have no user and password. */
export const removeCredentials = (text: string) => text.replace(/(?<!\w)(\w+:\/\/)[^/@\s]+@/g, '$1')

interface LogOptions {
  level: string
  /** Default: JSON lines on stdout, readable ones where stdout is a terminal. */
  destination?: DestinationStream
  /** Takes secrets out of each line. */
  mask?: SecretMask
}

export function createLog(service: string, { level, destination, mask }: LogOptions): ServiceLog {
  const stream =
    destination ??
    (process.stdout.isTTY ? pretty({ colorize: true, ignore: 'pid,hostname' }) : openLogStream())
  const formatters = {
    level: (label: string) => ({ level: label }),
    log: (line: Record<string, unknown>) => redactSecrets(line) as Record<string, unknown>,
  }
  // Lines of a request or a job are found by their trace, and by the project.
  const mixin = () => {
    const span = getCurrentSpan()?.context
    const project = findCurrentProject()
    return {
      ...(span && { trace_id: span.traceId, span_id: span.spanId }),
      ...(project !== undefined && { project }),
    }
  }
  const options = {
    ...{ level, base: { service }, formatters, mixin, timestamp: pino.stdTimeFunctions.isoTime },
    ...(mask && { hooks: { streamWrite: mask } }),
  }
  const log = pino(options, stream)
  // Formatters see a line's own members only; what a child is bound to goes through here.
  const child: unknown = Reflect.get(log, 'child')
  const redacting = function (this: ServiceLog, bindings: Record<string, unknown>, childOptions?: object) {
    return Reflect.apply(child as () => ServiceLog, this, [
      redactSecrets(bindings),
      childOptions,
    ]) as ServiceLog
  }
  Reflect.set(log, 'child', redacting)
  return log
}
