import type { CallPhrase } from '@stateeval/program'
import { just } from './just.ts'

const members = { tensors: { slot: 'tensors' } } as const
const along = ['concatenate {tensors} along dimension {dim}', 'join {tensors} along dimension {dim}']
const byDefault = ['concatenate {tensors}', 'join {tensors}']

export const cat: CallPhrase = {
  call: { kind: 'function', name: 'torch.cat', positional: ['tensors', 'dim'] },
  forms: [
    { says: along, args: { ...members, dim: { slot: 'dim' } }, slots: { tensors: 'list', dim: 'literal' } },
    { says: byDefault, args: members, slots: { tensors: 'list' } },
    {
      says: along,
      args: { ...members, dim: { slot: 'dim' } },
      slots: { tensors: 'reference', dim: 'literal' },
    },
    { says: byDefault, args: members, slots: { tensors: 'reference' } },
    // A list that no series of words says, such as one of a single tensor.
    { says: along, args: { ...members, dim: { slot: 'dim' } }, slots: { tensors: 'value', dim: 'literal' } },
    { says: byDefault, args: members, slots: { tensors: 'value' } },
  ],
  output: {
    any: ['{which} concatenation'],
    just,
    untouched: ['the concatenated tensor', 'the joined tensor'],
  },
}
