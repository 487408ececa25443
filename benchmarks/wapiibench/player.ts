/**
 * Plays the right answer, under either setup and every layout: the starter code,
 * completed.
 */
import type { EpisodeOptions } from '@stateeval/contracts'
import { oneAnswer, type ReplyPlayer } from '@stateeval/program'
import type { RequestConfiguration, WapiiCase } from './case.ts'
import type { LiteralStyle } from './emit/literal.ts'
import { callText } from './emit/styles.ts'

/** Names are quoted: the published post-processing takes `…Response:` for a role marker and cuts it out. */
const literals: LiteralStyle = { quote: "'", names: 'quoted', indent: 2 }

export const writeAxiosAnswer = (instruction: string, config: RequestConfiguration) =>
  `// ${instruction}\nconst axios = require('axios');\n\n${callText(config, literals)};\n`

export const createWapiiPlayer = (
  { instruction, task }: WapiiCase,
  { language = 'javascript' }: EpisodeOptions,
): ReplyPlayer | null =>
  language === 'javascript' ? oneAnswer(writeAxiosAnswer(instruction, task.config)) : null
