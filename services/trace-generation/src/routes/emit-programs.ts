import type { TraceRoute } from './route.ts'

/** Answers with the code that ../bodies.ts emits from the body, in a thread if it is large. */
export const emitPrograms: TraceRoute<'emitPrograms'> = async ({ body }) => body
