/**
 * Presentations of all kinds: what `presentation/` of the folders exports as
 * default.
 */
import type { Presentation } from '@stateeval/program/presentation'
import { folders } from './folders.ts'

export const presentations: readonly Presentation[] = await Promise.all(
  folders.map(
    async (folder) =>
      ((await import(`./${folder}/presentation/index.ts`)) as { default: Presentation }).default,
  ),
)
