/** Hostile programs: those for any world by theme, and those for each world by its scenario. */
export * from './attack.ts'
export { attacks } from './programs/index.ts'
import type { AttackProgram } from './attack.ts'
import { sessions } from './worlds/sessions.ts'
import { tensors } from './worlds/tensors.ts'
import { voices } from './worlds/voices.ts'

export const worldAttacks = {
  'session-service': sessions,
  'elevenlabs-mcp': voices,
  'tensor-operation': tensors,
} satisfies Record<string, readonly AttackProgram[]>
