import type { CallPhrase } from '@stateeval/program'
import { withSettings } from './settings.ts'

export const textToSpeech: CallPhrase = {
  call: { kind: 'tool' },
  forms: [
    ...withSettings({
      says: ['turn {text} into speech in the voice of {voice}', 'read {text} aloud in the voice of {voice}'],
      args: { text: { slot: 'text' }, voice_name: { slot: 'voice', path: ['voice_name'] } },
      slots: { text: 'value', voice: 'reference' },
    }),
    ...withSettings({
      says: ['turn {text} into speech in the voice {name}', 'read {text} aloud in the voice {name}'],
      args: { text: { slot: 'text' }, voice_name: { slot: 'name' } },
      slots: { text: 'value', name: 'value' },
    }),
    ...withSettings({
      says: ['turn {text} into speech in the default voice', 'read {text} aloud in the default voice'],
      args: { text: { slot: 'text' } },
      slots: { text: 'value' },
    }),
  ],
  output: {
    any: ['the speech from {which} reading'],
    just: ['the speech you just made'],
    untouched: ['the synthesized speech'],
  },
}
