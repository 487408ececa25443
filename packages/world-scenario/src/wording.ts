/** Parts of phrases, and words for effects. */
import type { ArgPattern, PhraseForm, SlotKind } from '@stateeval/program'
import { type OperationPlan, toName } from './plan.ts'

export interface PhrasePart {
  says: string
  args: Record<string, ArgPattern>
  slots: Record<string, SlotKind>
}
export const emptyPart: PhrasePart = { says: '', args: {}, slots: {} }
export const joinParts = (...parts: PhrasePart[]): PhraseForm => ({
  says: [parts.map(({ says }) => says).join('')],
  args: Object.assign({}, ...parts.map(({ args }) => args)) as PhrasePart['args'],
  slots: Object.assign({}, ...parts.map(({ slots }) => slots)) as PhrasePart['slots'],
})

/** Words for an effect, and for what its call answered. */
export const effectWords = {
  create: { verb: 'add a new', event: 'addition', key: 'added' },
  read: { verb: 'fetch the', event: 'lookup', key: 'fetched' },
  list: { verb: 'list the', event: 'listing', key: 'listed' },
  search: { verb: 'search the', event: 'search', key: 'found' },
  update: { verb: 'update the', event: 'update', key: 'updated' },
  replace: { verb: 'replace the', event: 'replacement', key: 'replaced' },
  delete: { verb: 'delete the', event: 'deletion', key: 'deleted' },
  'delete-many': { verb: 'delete all', event: 'removal', key: 'removed' },
} as const

export const getResultKey = ({ operation: { effect, type } }: OperationPlan) =>
  `${effectWords[effect].key}_${toName(type)}`

export const listWords = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`
export const sayValue = (says: string, name: string): PhrasePart => ({
  says: `${says} {${name}}`,
  args: { [name]: { slot: name } },
  slots: { [name]: 'value' },
})
