import type { Route } from './route.ts'

/** What ../bodies.ts computes from the body, in a thread if it takes long. */
export const computeStatistics: Route<'computeStatistics'> = async ({ body }) => body
