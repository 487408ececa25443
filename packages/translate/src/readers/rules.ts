/**
 * Rules for reading instructions: the closed list of what may exclude another reading. The prompt states
 * these rules, the documentation shows them, and the adversarial readers use no others.
 */
export const readingRules = {
  counted:
    'Numbers such as “the second query” count the calls of one kind on the path that the program takes, from its start. Numbers such as “the second match” count the items of the list that the call returned.',
  latest: '“That …”, “those …”, “the result” and “you just …” mean what the latest call returned or did.',
  named:
    'A result is named after its call: only a query has matches, only a conversion gives a converted speech.',
  returned:
    '“As returned by” a call means its answer at that time, also where a later call has changed or deleted something.',
  edited:
    'Setting a part of a variable, or of your copy of what a call returned, changes this value for all that follows. “Your copy” and “your edited copy” mean the value in the program; the service learns of it only by a call.',
} as const

export type ReadingRule = keyof typeof readingRules
