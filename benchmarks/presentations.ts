/**
 * Presentations of all kinds: what `presentation/` of the folders exports as
 * default.
 */
import type { ReportPresentation } from '@stateeval/program/presentation'
import { folders } from './folders.ts'

export const presentations: readonly ReportPresentation[] = await Promise.all(
  folders.map(
    async (folder) =>
      ((await import(`./${folder}/presentation/index.ts`)) as { default: ReportPresentation }).default,
  ),
)
