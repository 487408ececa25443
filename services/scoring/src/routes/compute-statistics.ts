import type { ScoringRoute } from './route.ts'

/** Answers with the statistics that ../bodies.ts computes from the body, in a thread if that takes long. */
export const computeStatistics: ScoringRoute<'computeStatistics'> = async ({ body }) => body
