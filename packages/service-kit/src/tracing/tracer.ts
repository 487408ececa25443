/**
 * Spans: each request and each job is one, within the trace of its caller. Code within a span finds it by
 * `getCurrentSpan()` at any depth. Log lines take their ids from it, and messages pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type TracerProvider,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { drawRandomHex } from '../random.ts'
import { schemaUrl, selectSendable } from './gen-ai.ts'

export interface SpanTracer {
  /**
   * A span below the one that a `traceparent` names (https://www.w3.org/TR/trace-context); the first one of a
   * trace where there is none, or no valid one.
   */
  begin(name: string, kind: 'server' | 'consumer' | 'internal', traceparent?: unknown): TraceSpan
  /** Resolves when what is left is sent, or given up. */
  close(): Promise<void>
}
export interface TraceSpan {
  readonly context: SpanContext
  /** The context of the message or request that it continues. */
  readonly traceparent: string
  /** How long each part took, in milliseconds, by name. */
  readonly parts: ReadonlyMap<string, number>
  /** A part of it that has just ended, after so many milliseconds: a separate span below this one. */
  part(name: string, ms: number, attributes?: Attributes, more?: PartOptions): void
  /** Runs the work with this as the current span, also what it starts and doesn’t wait for. */
  within<T>(work: () => T): T
  end(attributes?: Attributes, error?: string): void
}

interface PartOptions {
  /** `client` if it waited for another system. */
  kind?: 'client' | 'internal'
  /** Follows the name where names of projects are sent. */
  subject?: string
  /** Why it failed. */
  error?: string | undefined
}

const current = new AsyncLocalStorage<TraceSpan>()
export const getCurrentSpan = (): TraceSpan | undefined => current.getStore()

/**
 * Runs the work within an earlier span that has ended, perhaps in another process: what the work sends and
 * logs belongs to that trace. Without a valid `traceparent`, the context stays unchanged. No span is
 * created.
 */
export function runInTrace<T>(traceparent: string | undefined, work: () => T): T {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent)
  if (!context || traceparent === undefined) return work()
  const surrounding = getCurrentSpan()
  const past: TraceSpan = {
    context,
    traceparent,
    parts: surrounding?.parts ?? new Map(),
    part: (...part) => surrounding?.part(...part),
    within: (inner) => current.run(past, inner),
    end: () => undefined,
  }
  return past.within(work)
}

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL }
const readNow = () => performance.timeOrigin + performance.now()

/** Without a provider, spans are not stored, but ids are still created and passed on. */
export function createTracer(
  provider?: TracerProvider & { shutdown(): Promise<void> },
  { names = false }: { names?: boolean } = {},
): SpanTracer {
  const sdk = provider?.getTracer('stateeval', undefined, { schemaUrl })
  return {
    begin(name, kind, traceparent) {
      const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
      const above = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
      const span = sdk
        ? sdk.startSpan(name, { kind: kinds[kind], startTime: readNow() }, above)
        : trace.wrapSpanContext(createChildContext(parent))
      const within = trace.setSpan(above, span)
      const context = span.spanContext()
      const parts = new Map<string, number>()
      const ownSpan: TraceSpan = {
        context,
        traceparent: `00-${context.traceId}-${context.spanId}-0${context.traceFlags & TraceFlags.SAMPLED}`,
        parts,
        part(part, ms, attributes = {}, { kind: partKind = 'internal', subject, error } = {}) {
          parts.set(part, (parts.get(part) ?? 0) + ms)
          if (!sdk) return
          const end = readNow()
          const partSpan = sdk.startSpan(
            names && subject !== undefined ? `${part} ${subject}` : part,
            {
              kind: partKind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
              startTime: end - ms,
              attributes: selectSendable(attributes, names),
            },
            within,
          )
          if (error !== undefined) partSpan.setStatus({ code: SpanStatusCode.ERROR, message: error })
          partSpan.end(end)
        },
        within: (work) => current.run(ownSpan, work),
        end(attributes = {}, error) {
          span.setAttributes(attributes)
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
          span.end(readNow())
        },
      }
      return ownSpan
    },
    close: async () => provider?.shutdown().catch(() => undefined),
  }
}

const createChildContext = (parent: SpanContext | null): SpanContext => ({
  traceId: parent?.traceId ?? drawRandomHex(16),
  spanId: drawRandomHex(8),
  traceFlags: parent?.traceFlags ?? TraceFlags.NONE,
})
