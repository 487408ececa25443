import type { Route } from './route.ts'

/** What ../bodies.ts computes from the body, in a thread if it is long. */
export const verifyTranslation: Route<'verifyTranslation'> = async ({ body }) => body
