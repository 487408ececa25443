import type { TraceRoute } from './route.ts'

/** Answers what ../bodies.ts computes from the body, in a thread if it is large. */
export const emitPrograms: TraceRoute<'emitPrograms'> = async ({ body }) => body
