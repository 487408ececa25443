import type { Phrase } from '@stateeval/program'
import { withSettings } from './settings.ts'

export const textToSpeech: Phrase = {
  call: { kind: 'tool' },
  forms: [
    ...withSettings({
      says: [
        'have {text} read aloud by {voice}',
        'turn {text} into speech in the voice of {voice}',
        'read {text} aloud in the voice of {voice}',
      ],
      args: { text: { slot: 'text' }, voice_name: { slot: 'voice', path: ['voice_name'] } },
      slots: { text: 'value', voice: 'reference' },
    }),
    ...withSettings({
      says: ['turn {text} into speech in the voice {name}', 'read {text} aloud in the voice {name}'],
      args: { text: { slot: 'text' }, voice_name: { slot: 'name' } },
      slots: { text: 'value', name: 'value' },
    }),
    ...withSettings({
      says: ['turn {text} into speech in the standard voice', 'read {text} aloud in the standard voice'],
      args: { text: { slot: 'text' } },
      slots: { text: 'value' },
    }),
  ],
  output: {
    any: ['the speech from {which} reading', 'what {which} reading gave'],
    just: ['the speech you just made', 'what was just read'],
    sole: ['the speech from the reading', 'the synthesised speech'],
  },
}
