import type { CallPhrase } from '@stateeval/program'

export const speechToText: CallPhrase = {
  call: { kind: 'tool' },
  forms: [
    {
      says: ['transcribe {speech}', 'turn {speech} into text'],
      args: { input_speech: { slot: 'speech' } },
      slots: { speech: 'value' },
    },
    {
      says: [
        'transcribe {speech} with the speakers told apart',
        'transcribe {speech} with labels for the speakers',
      ],
      args: { input_speech: { slot: 'speech' }, diarize: { constant: true } },
      slots: { speech: 'value' },
    },
    {
      says: ['transcribe {speech} with diarize set to {diarize}'],
      args: { input_speech: { slot: 'speech' }, diarize: { slot: 'diarize' } },
      slots: { speech: 'value', diarize: 'value' },
    },
  ],
  output: {
    any: ['{which} transcript', 'the transcript from {which} transcription'],
    just: ['the transcript you just made'],
    sole: ['the transcript'],
  },
}
