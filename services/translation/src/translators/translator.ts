/** Who makes instructions of programs: one file each, listed in index.ts. */
import type { Program } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import type { Translation } from '@stateeval/translate'

export interface Translator {
  id: string
  version: string
  translate(request: { program: Program; scenario: Scenario; seed: string | number }, signal: AbortSignal): Promise<Translation>
}
