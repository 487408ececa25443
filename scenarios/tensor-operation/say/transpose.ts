import type { CallPhrase } from '@stateeval/program'
import { just } from './just.ts'

export const transpose: CallPhrase = {
  call: { kind: 'function', name: 'torch.transpose', positional: ['input', 'dim0', 'dim1'] },
  forms: [
    {
      says: [
        'transpose dimensions {dim0} and {dim1} of {input}',
        'swap dimensions {dim0} and {dim1} of {input}',
        'transpose {input} by swapping its dimensions {dim0} and {dim1}',
      ],
      args: { input: { slot: 'input' }, dim0: { slot: 'dim0' }, dim1: { slot: 'dim1' } },
      slots: { input: 'reference', dim0: 'literal', dim1: 'literal' },
    },
  ],
  output: { any: ['{which} transpose'], just, untouched: ['the transposed tensor'] },
}
