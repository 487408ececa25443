import type { ScoringRoute } from './route.ts'

/** Answers what ../bodies.ts computes from the body, in a thread if it takes long. */
export const computeStatistics: ScoringRoute<'computeStatistics'> = async ({ body }) => body
