import { translate, translatorVersion } from '@stateeval/translate'
import type { Translator } from './translator.ts'

/** The deterministic translator: no model, no network. */
export const template: Translator = {
  id: 'template',
  version: translatorVersion,
  translate: async (request) => translate(request),
}
