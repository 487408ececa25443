/**
 * Spans: each request and each job is one, inside the trace of who asked for it. Code that runs within a span finds it by
 * `currentSpan()`, however deep it is: log lines take its ids from there, and messages carry it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomHex } from '../random.ts'
import type { TraceContext } from './trace-context.ts'

export type SpanKind = 'internal' | 'server' | 'consumer'
export type Attributes = Readonly<Record<string, string | number>>
export interface EndedSpan {
  context: TraceContext
  parentId: string | undefined
  name: string
  kind: SpanKind
  /** Milliseconds since 1970. */
  startMs: number
  endMs: number
  attributes: Attributes
  /** Why it failed, where it did. */
  error: string | undefined
}
/** Where spans go that have ended. It may lose some, and never throws. */
export interface SpanSink {
  take(span: EndedSpan): void
  /** Resolves when what it has is sent, or given up. */
  close(): Promise<void>
}
export interface Tracer {
  /** A span in the parent’s trace; without a parent, the first one of a trace. */
  begin(name: string, kind: SpanKind, parent?: TraceContext): Span
  close(): Promise<void>
}
export interface Span {
  readonly context: TraceContext
  /** How long each part took, in milliseconds, by name. */
  readonly parts: ReadonlyMap<string, number>
  /** A part of it that has just ended, after so many milliseconds: a span of its own below this one. */
  part(name: string, ms: number, attributes?: Attributes): void
  /** Runs the work with this as the current span, also what it starts and doesn’t wait for. */
  within<T>(work: () => T): T
  end(attributes?: Attributes, error?: string): void
}

const current = new AsyncLocalStorage<Span>()
export const currentSpan = (): Span | undefined => current.getStore()

const now = () => performance.timeOrigin + performance.now()

/** Without a sink spans are kept nowhere: ids are made and handed on all the same. */
export function createTracer(sink?: SpanSink): Tracer {
  return {
    begin(name, kind, parent) {
      const startMs = now()
      const context = {
        traceId: parent?.traceId ?? randomHex(16),
        spanId: randomHex(8),
        sampled: parent?.sampled ?? sink !== undefined,
      }
      const kept = context.sampled ? sink : undefined
      const parts = new Map<string, number>()
      const span: Span = {
        context,
        parts,
        part(part, ms, attributes = {}) {
          parts.set(part, (parts.get(part) ?? 0) + ms)
          const endMs = now()
          const below = { ...context, spanId: kept ? randomHex(8) : '' }
          kept?.take({
            context: below,
            parentId: context.spanId,
            name: part,
            kind: 'internal',
            startMs: endMs - ms,
            endMs,
            attributes,
            error: undefined,
          })
        },
        within: (work) => current.run(span, work),
        end(attributes = {}, error) {
          kept?.take({
            context,
            parentId: parent?.spanId,
            name,
            kind,
            startMs,
            endMs: now(),
            attributes,
            error,
          })
        },
      }
      return span
    },
    close: async () => sink?.close(),
  }
}
