/**
 * Work on an operation's body before its handler gets it, by a pure function: `reads` gives the handler
 * another value than the body, `computes` makes the whole answer, which is sent as text. Large bodies are
 * worked on in a thread (read-body.ts).
 */
import type { HttpOperations } from '@stateeval/contracts'
import type { BodyBytes } from './checked-body.ts'
import type { JsonText } from './json-text.ts'

export interface BodyWork<Body = never, Made = unknown> {
  kind: 'reads' | 'computes'
  /** @param isApart whether it runs in a thread, where it may take long */
  make(body: Body, isApart: boolean): Made | Promise<Made>
  /** Makes it of the bytes of a large body, which would take many times their memory as a value. */
  makeOfBytes?: (bytes: BodyBytes) => Made | Promise<Made>
  /** Tells whether even a small body takes long. */
  takesLong?(body: Body): boolean
  /** It may take minutes, in a thread that nothing else waits for. */
  isSlow?: boolean
}
type BodyDuration<Body, Made> = Pick<BodyWork<Body, Made>, 'takesLong' | 'isSlow' | 'makeOfBytes'>
/** Works by operation. */
type BodyWorks = Readonly<Record<string, BodyWork>>

export const declareBodyReader = <Body, Made>(
  make: (body: Body, isApart: boolean) => Made | Promise<Made>,
  options: BodyDuration<Body, Made> = {},
) => ({ kind: 'reads' as const, make, ...options })
export const declareBodyComputation = <Body, Answer>(
  make: (body: Body) => Answer | Promise<Answer>,
  options: Omit<BodyDuration<Body, Answer>, 'makeOfBytes'> = {},
) => ({ kind: 'computes' as const, make, ...options })

/** The answer of a handler whose body is a computed one. */
export type ComputedAnswer<Answer> = { status: 200 } & ({ body: Answer } | { json: JsonText })

/** Exports of a service's `bodies.ts`; threads load it, too. */
export interface BodyModule {
  operations: HttpOperations
  works?: BodyWorks
}
