import type { Phrase } from '@stateeval/program'
import { just } from './just.ts'

export const linear: Phrase = {
  call: { kind: 'function', name: 'torch.nn.functional.linear', positional: ['input', 'weight'] },
  forms: [
    {
      says: [
        'apply a linear transformation to {input} with weight {weight}',
        'apply a linear layer to {input} with weight {weight}',
        'transform {input} linearly with weight {weight}',
      ],
      args: { input: { slot: 'input' }, weight: { slot: 'weight' } },
      slots: { input: 'reference', weight: 'reference' },
      tails: [{ says: 'and bias {bias}', args: { bias: { slot: 'bias' } }, slots: { bias: 'reference' } }],
    },
  ],
  output: { any: ['the output of {which} linear transformation'], just, sole: ['the linear output'] },
}
