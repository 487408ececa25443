import type { CallPhrase } from '@stateeval/program'
import { just } from './just.ts'

export const linear: CallPhrase = {
  call: { kind: 'function', name: 'torch.nn.functional.linear', positional: ['input', 'weight'] },
  forms: [
    {
      says: [
        'apply a linear transformation to {input} with {weight} as the weight',
        'apply a linear layer to {input} with {weight} as the weight',
        'transform {input} linearly, using {weight} as the weight',
      ],
      args: { input: { slot: 'input' }, weight: { slot: 'weight' } },
      slots: { input: 'reference', weight: 'reference' },
      tails: [
        { says: 'and {bias} as the bias', args: { bias: { slot: 'bias' } }, slots: { bias: 'reference' } },
      ],
    },
  ],
  output: { any: ['the output of {which} linear transformation'], just, untouched: ['the linear output'] },
}
