import type { CallPhrase } from '@stateeval/program'

export const isolateAudio: CallPhrase = {
  call: { kind: 'tool' },
  forms: [
    {
      says: [
        'isolate the voice in {speech}',
        'remove the background noise from {speech}',
        'clean up {speech} so that only the voice is heard',
      ],
      args: { input_speech: { slot: 'speech' } },
      slots: { speech: 'value' },
    },
  ],
  output: {
    any: ['the speech from {which} isolation'],
    just: ['the speech you just cleaned up'],
    untouched: ['the isolated speech', 'the cleaned-up speech'],
  },
}
