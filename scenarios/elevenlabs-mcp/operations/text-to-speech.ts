import type { Call, Expr } from '@stateeval/contracts'
import { createLiteral, type ScenarioOperation, type RandomSource } from '@stateeval/program'
import { applyTool } from '../apply.ts'
import { textToSpeech as say } from '../say/text-to-speech.ts'
import { wasMade, sampleSome, texts } from '../scope.ts'
import type { StudioWorld } from '../state.ts'
import { chooseVoice } from '../voice-choice.ts'

const api = 'text_to_speech'

/**
 * Speaks a text of the user, or what a transcript says; most often in a chosen voice, now and then with
 * settings.
 */
export const textToSpeech: ScenarioOperation<StudioWorld> = {
  id: api,
  *solve(scope, rng) {
    for (const { reference } of sampleSome(texts(scope), rng)) {
      const voice = rng.chance(0.9) ? chooseVoice(scope, rng) : null
      const args: Record<string, Expr> = {
        text: reference,
        ...(voice && { voice_name: voice.expr }),
        ...drawSettings(rng),
      }
      const call: Call = { kind: 'tool', api, args }
      if (!wasMade(scope, call)) yield { call, consumes: [] }
    }
  },
  apply: (world, args) => applyTool(api, world, args),
  tells: ['text', 'voice_name'],
  gathers: { key: 'speech', path: [] },
  say,
}

/** Two digits, and never what is so by default. */
const drawValue = (rng: RandomSource): Expr =>
  createLiteral((rng.int(5, 49) + (rng.chance(0.5) ? 50 : 0)) / 100)
const drawSettings = (rng: RandomSource): Record<string, Expr> =>
  Object.fromEntries(
    ['stability', 'similarity_boost', 'style'].flatMap((name) =>
      rng.chance(0.3) ? [[name, drawValue(rng)]] : [],
    ),
  )
