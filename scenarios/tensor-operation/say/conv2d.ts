import type { Phrase } from '@stateeval/program'
import { just } from './just.ts'

export const conv2d: Phrase = {
  call: { kind: 'function', name: 'torch.nn.functional.conv2d', positional: ['input', 'weight'] },
  forms: [
    {
      says: [
        'convolve {input} with weight {weight}',
        'apply a two-dimensional convolution to {input} with weight {weight}',
      ],
      args: { input: { slot: 'input' }, weight: { slot: 'weight' } },
      slots: { input: 'reference', weight: 'reference' },
      tails: [
        { says: 'and bias {bias}', args: { bias: { slot: 'bias' } }, slots: { bias: 'reference' } },
        { says: 'using stride {stride}', args: { stride: { slot: 'stride' } }, slots: { stride: 'literal' } },
        {
          says: 'and padding {padding}',
          args: { padding: { slot: 'padding' } },
          slots: { padding: 'literal' },
        },
        {
          says: 'at dilation {dilation}',
          args: { dilation: { slot: 'dilation' } },
          slots: { dilation: 'literal' },
        },
        { says: 'in {groups} groups', args: { groups: { slot: 'groups' } }, slots: { groups: 'literal' } },
      ],
    },
  ],
  output: {
    any: ['the output of {which} convolution'],
    just,
    sole: ['the convolved tensor', 'the convolution output'],
  },
}
