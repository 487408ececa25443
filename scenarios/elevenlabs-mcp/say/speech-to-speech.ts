import type { Phrase } from '@stateeval/program'

export const speechToSpeech: Phrase = {
  call: { kind: 'tool' },
  forms: [
    {
      says: [
        'convert {speech} to the voice of {voice}',
        'have {speech} said again in the voice of {voice}',
        'revoice {speech} in the voice of {voice}',
      ],
      args: { input_speech: { slot: 'speech' }, voice_name: { slot: 'voice', path: ['voice_name'] } },
      slots: { speech: 'reference', voice: 'reference' },
    },
    {
      says: [
        'convert {speech} to the voice {name}',
        'have {speech} said again in the voice {name}',
        'revoice {speech} in the voice {name}',
      ],
      args: { input_speech: { slot: 'speech' }, voice_name: { slot: 'name' } },
      slots: { speech: 'value', name: 'value' },
    },
  ],
  output: {
    any: ['the speech from {which} conversion', 'what {which} conversion gave'],
    just: ['the speech you just converted', 'the converted speech you just got'],
    sole: ['the converted speech', 'the speech from the conversion'],
  },
}
