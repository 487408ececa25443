import type { CallPhrase } from '@stateeval/program'

const sections = [
  'split {tensor} into sections of sizes {sizes}',
  'divide {tensor} into sections of sizes {sizes}',
]
const pieces = ['split {tensor} into pieces of size {size}', 'divide {tensor} into chunks of size {size}']
const sayAlong = (says: readonly string[]) => says.map((text) => `${text} along dimension {dim}`)

const bySections = { tensor: { slot: 'tensor' }, split_size_or_sections: { slot: 'sizes' } } as const
const bySize = { tensor: { slot: 'tensor' }, split_size_or_sections: { slot: 'size' } } as const

export const split: CallPhrase = {
  call: { kind: 'function', name: 'torch.split', positional: ['tensor', 'split_size_or_sections', 'dim'] },
  forms: [
    {
      says: sayAlong(sections),
      args: { ...bySections, dim: { slot: 'dim' } },
      slots: { tensor: 'reference', sizes: 'list', dim: 'literal' },
    },
    { says: sections, args: bySections, slots: { tensor: 'reference', sizes: 'list' } },
    {
      says: sayAlong(pieces),
      args: { ...bySize, dim: { slot: 'dim' } },
      slots: { tensor: 'reference', size: 'literal', dim: 'literal' },
    },
    { says: pieces, args: bySize, slots: { tensor: 'reference', size: 'literal' } },
  ],
  output: {
    any: ['the pieces of {which} split'],
    just: ['the pieces', 'these pieces'],
    sole: ['the split pieces'],
  },
  item: {
    any: ['the {nth} piece of {which} split'],
    just: ['the {nth} of these pieces'],
    sole: ['the {nth} piece'],
  },
  count: { any: ['the number of pieces of {which} split'], sole: ['the number of pieces'] },
}
