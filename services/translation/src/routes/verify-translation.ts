import type { TranslationRoute } from './route.ts'

/** Answers what ../bodies.ts computes from the body, in a thread if it is long. */
export const verifyTranslation: TranslationRoute<'verifyTranslation'> = async ({ body }) => body
