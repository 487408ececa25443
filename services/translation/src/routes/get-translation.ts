import type { TranslationRoute } from './route.ts'
import { requireTranslation } from '../find.ts'
import { toResource } from '../translations.ts'

export const getTranslation: TranslationRoute<'getTranslation'> = async ({ params }, context) => ({
  status: 200,
  body: toResource(await requireTranslation(context, params.id)),
})
