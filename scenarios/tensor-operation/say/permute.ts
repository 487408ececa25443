import type { CallPhrase } from '@stateeval/program'
import { just } from './just.ts'

export const permute: CallPhrase = {
  call: { kind: 'function', name: 'torch.permute', positional: ['input', 'dims'] },
  forms: [
    {
      says: [
        'permute the dimensions of {input} into the order {dims}',
        'rearrange the dimensions of {input} in the order {dims}',
        'permute {input} so that its dimensions come in the order {dims}',
      ],
      args: { input: { slot: 'input' }, dims: { slot: 'dims' } },
      slots: { input: 'reference', dims: 'literal' },
    },
  ],
  output: { any: ['{which} permutation'], just, untouched: ['the permuted tensor'] },
}
