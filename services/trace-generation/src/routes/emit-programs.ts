import type { Route } from './route.ts'

/** What ../bodies.ts computes from the body, in a thread if it is large. */
export const emitPrograms: Route<'emitPrograms'> = async ({ body }) => body
