/**
 * ElevenLabs MCP: tools for speech behind the Model Context Protocol. What a call does depends on the
 * modality and the properties of what it is given, and most wrong calls are accepted: they lead to other
 * values and other phone calls.
 */
import type { Scenario } from '@stateeval/program'
import { compare } from './compare.ts'
import { listStudioConditions } from './conditions.ts'
import { documentations } from './documentation/index.ts'
import { operations } from './operations/index.ts'
import { difficulty } from './difficulty.ts'
import { distract } from './distract.ts'
import { start } from './start.ts'
import { type InitialStudio, observeStudio, openStudio, type StudioWorld } from './state.ts'
import { modelTools } from './tools.ts'
import { varyStudioInput } from './vary.ts'

export const elevenLabsMcp: Scenario<StudioWorld> = {
  id: 'elevenlabs-mcp',
  version: '3',
  title: 'ElevenLabs tools',
  world: 'elevenlabs-mcp',
  operations,
  start,
  distract,
  difficulty,
  open: (initial) => openStudio(initial as InitialStudio),
  observe: observeStudio,
  // Speeches are edited by tools only.
  edits: () => [],
  conditions: listStudioConditions,
  vary: (program, rng, wide) => varyStudioInput(program, elevenLabsMcp, rng, wide),
  compare,
  tools: modelTools,
  documentation: (language) => documentations[language],
}
export default elevenLabsMcp
