import type { CallPhrase } from '@stateeval/program'

export const speechToSpeech: CallPhrase = {
  call: { kind: 'tool' },
  forms: [
    {
      says: ['convert {speech} to the voice of {voice}', 'change the voice of {speech} to that of {voice}'],
      args: { input_speech: { slot: 'speech' }, voice_name: { slot: 'voice', path: ['voice_name'] } },
      slots: { speech: 'reference', voice: 'reference' },
    },
    {
      says: ['convert {speech} to the voice {name}', 'change the voice of {speech} to {name}'],
      args: { input_speech: { slot: 'speech' }, voice_name: { slot: 'name' } },
      slots: { speech: 'value', name: 'value' },
    },
  ],
  output: {
    any: ['the speech from {which} conversion'],
    just: ['the speech you just converted'],
    untouched: ['the converted speech'],
  },
}
