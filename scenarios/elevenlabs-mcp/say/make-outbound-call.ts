import type { CallPhrase } from '@stateeval/program'

export const makeOutboundCall: CallPhrase = {
  call: { kind: 'tool' },
  forms: [
    {
      says: [
        'call {contact} and play {speech}, with the assistant speaking in the voice of {voice}',
        'place a call to {contact} that plays {speech}, with the assistant speaking in the voice of {voice}',
      ],
      args: {
        input_speech: { slot: 'speech' },
        voice_name: { slot: 'voice', path: ['voice_name'] },
        to_number: { slot: 'contact', path: ['to_number'] },
      },
      slots: { contact: 'variable', speech: 'reference', voice: 'reference' },
    },
    {
      says: [
        'call {contact} and play {speech}, with the assistant speaking in the voice {name}',
        'place a call to {contact} that plays {speech}, with the assistant speaking in the voice {name}',
      ],
      args: {
        input_speech: { slot: 'speech' },
        voice_name: { slot: 'name' },
        to_number: { slot: 'contact', path: ['to_number'] },
      },
      slots: { contact: 'variable', speech: 'value', name: 'value' },
    },
    {
      says: ['call {contact} and play {speech}', 'place a call to {contact} that plays {speech}'],
      args: { input_speech: { slot: 'speech' }, to_number: { slot: 'contact', path: ['to_number'] } },
      slots: { contact: 'variable', speech: 'value' },
    },
    {
      says: ['call the number on file and play {speech}'],
      args: { input_speech: { slot: 'speech' } },
      slots: { speech: 'value' },
      tails: [
        {
          says: ', with the assistant speaking in the voice {name}',
          args: { voice_name: { slot: 'name' } },
          slots: { name: 'value' },
        },
      ],
    },
    {
      says: ['call the number {number} and play {speech}'],
      args: { input_speech: { slot: 'speech' }, to_number: { slot: 'number' } },
      slots: { number: 'value', speech: 'value' },
      tails: [
        {
          says: ', with the assistant speaking in the voice {name}',
          args: { voice_name: { slot: 'name' } },
          slots: { name: 'value' },
        },
      ],
    },
  ],
}
