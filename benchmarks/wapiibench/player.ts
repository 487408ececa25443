/**
 * Plays the right answer, under either setup and every layout: the starter code,
 * completed.
 */
import type { EpisodeOptions } from '@stateeval/contracts'
import { oneAnswer, type Player } from '@stateeval/program'
import type { Config, WapiiCase } from './case.ts'
import type { Literals } from './emit/literal.ts'
import { callText } from './emit/styles.ts'

/** Names are quoted: the published post-processing takes `…Response:` for a role marker and cuts it out. */
const literals: Literals = { quote: "'", names: 'quoted', indent: 2 }

export const answerFor = (instruction: string, config: Config) =>
  `// ${instruction}\nconst axios = require('axios');\n\n${callText(config, literals)};\n`

export const player = (
  { instruction, task }: WapiiCase,
  { language = 'javascript' }: EpisodeOptions,
): Player | null => (language === 'javascript' ? oneAnswer(answerFor(instruction, task.config)) : null)
