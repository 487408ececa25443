import type { TranslationRoute } from './route.ts'

/** Answers with what ../bodies.ts reads from the body, in a thread if it is long. */
export const verifyTranslation: TranslationRoute<'verifyTranslation'> = async ({ body }) => body
