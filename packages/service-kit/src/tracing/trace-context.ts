/** W3C Trace Context: which trace a piece of work belongs to, and which span asked for it (https://www.w3.org/TR/trace-context). */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** Whether spans of this trace are kept. */
  sampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const isZero = (digits: string) => /^0+$/.test(digits)

/** What a `traceparent` says; undefined where there is none or it is invalid, and a trace begins anew. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  const [, version, traceId, spanId, flags, more] = (typeof text === 'string' && form.exec(text)) || []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined
  // Later versions may add fields; 255 is none.
  if (version === 'ff' || (version === '00' && more !== undefined) || isZero(traceId) || isZero(spanId))
    return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceparent = ({ traceId, spanId, sampled }: TraceContext) =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
