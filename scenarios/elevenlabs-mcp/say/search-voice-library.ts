import type { CallPhrase } from '@stateeval/program'

/** Searches by category, gender or both, each stated on its own. */
const category = { search_category: { slot: 'category' } } as const
const gender = { search_gender: { slot: 'gender' } } as const

export const searchVoiceLibrary: CallPhrase = {
  call: { kind: 'tool' },
  forms: [
    {
      says: [
        'search the voice library for the category and gender of {wish}',
        'look in the voice library for voices with the category and gender that {wish} asks for',
      ],
      args: {
        search_category: { slot: 'wish', path: ['search_category'] },
        search_gender: { slot: 'wish', path: ['search_gender'] },
      },
      slots: { wish: 'variable' },
    },
    {
      says: [
        'search the voice library for the category that {wish} asks for',
        'find all voices of the category that {wish} asks for',
      ],
      args: { search_category: { slot: 'wish', path: ['search_category'] } },
      slots: { wish: 'variable' },
    },
    {
      says: [
        'search the voice library for the gender that {wish} asks for',
        'find all voices of the gender that {wish} asks for',
      ],
      args: { search_gender: { slot: 'wish', path: ['search_gender'] } },
      slots: { wish: 'variable' },
    },
    {
      says: [
        'search the voice library for the category {category} and the gender that {wish} asks for',
        'find all voices of the category {category} and of the gender that {wish} asks for',
      ],
      args: { ...category, search_gender: { slot: 'wish', path: ['search_gender'] } },
      slots: { category: 'literal', wish: 'variable' },
    },
    {
      says: [
        'search the voice library for voices of the same category as {voice}',
        'find all voices that share the category of {voice}',
      ],
      args: { search_category: { slot: 'voice', path: ['category'] } },
      slots: { voice: 'reference' },
    },
    {
      says: [
        'search the voice library for voices of the same gender as {voice}',
        'find all voices that share the gender of {voice}',
      ],
      args: { search_gender: { slot: 'voice', path: ['gender'] } },
      slots: { voice: 'reference' },
    },
    {
      says: [
        'look up the voice of {speech} in the voice library',
        'search the voice library for the voice that speaks in {speech}',
      ],
      args: { search_name: { slot: 'speech', path: ['voice_name'] } },
      slots: { speech: 'reference' },
    },
    {
      says: [
        'search the voice library for the category {category}',
        'find all voices of the category {category}',
      ],
      args: category,
      slots: { category: 'value' },
    },
    {
      says: ['search the voice library for the gender {gender}', 'find all voices of the gender {gender}'],
      args: gender,
      slots: { gender: 'value' },
    },
    {
      says: ['search the voice library for the category {category} and the gender {gender}'],
      args: { ...category, ...gender },
      slots: { category: 'value', gender: 'value' },
    },
    {
      says: ['look up the voice named {name} in the voice library'],
      args: { search_name: { slot: 'name' } },
      slots: { name: 'value' },
      tails: [
        { says: 'among those of the category {category}', args: category, slots: { category: 'value' } },
        { says: 'among those of the gender {gender}', args: gender, slots: { gender: 'value' } },
      ],
    },
  ],
  output: {
    any: ['the voices from {which} search'],
    just: ['those voices'],
    sole: ['the voices found', 'the matching voices'],
  },
  item: {
    any: ['the {nth} voice from {which} search'],
    just: ['the {nth} of those voices'],
    sole: ['the {nth} voice found', 'the {nth} matching voice'],
  },
  count: { any: ['the number of voices from {which} search'], sole: ['the number of voices found'] },
}
