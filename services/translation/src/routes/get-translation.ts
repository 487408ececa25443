import type { TranslationRoute } from './route.ts'
import { existing } from '../find.ts'
import { toResource } from '../translations.ts'

export const getTranslation: TranslationRoute<'getTranslation'> = async ({ params }, context) => ({
  status: 200,
  body: toResource(await existing(context, params.id)),
})
