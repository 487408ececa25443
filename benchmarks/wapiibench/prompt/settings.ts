/**
 * How the published figures were generated: greedily, at most 250 new tokens, up to a fence on its own line;
 * several samples of a task at temperature 0.2, with top_k 50 and top_p 1. Chat APIs at temperature 0,
 * however many samples.
 */
import type { SettingsPreset } from '@stateeval/program'
import { layouts } from './prompt.ts'

const published: SettingsPreset = ({ layout = layouts[0], samples }) => {
  const ends = { max_tokens: 250, stop: ['\n```\n'] }
  return layout === 'chat' || samples === 1
    ? { temperature: 0, ...ends }
    : { temperature: 0.2, top_p: 1, top_k: 50, ...ends }
}
export const settings: Readonly<Record<string, SettingsPreset>> = { published }
