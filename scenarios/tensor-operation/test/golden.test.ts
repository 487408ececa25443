/**
 * What seed 42 gives, as reviewable files; STATEEVAL_UPDATE_GOLDEN=1 rewrites them. A change here changes
 * every benchmark.
 */
import { join } from 'node:path'
import type { Scenario } from '@stateeval/program'
import { translate } from '@stateeval/translate'
import { pinPrograms } from '../../test/golden.ts'
import { tensorOperation } from '../index.ts'

const scenario: Scenario = tensorOperation

pinPrograms(
  scenario,
  join(import.meta.dirname, '../golden'),
  {
    planned: { count: 3 },
    coverage: { count: 1, strategy: 'coverage' },
    random: { count: 1, strategy: 'random' },
    straight: { count: 2, controlFlow: false, strategy: 'coverage' },
    nested: { count: 1, branches: 3 },
  },
  (program) => {
    const translation = translate({ program, scenario, seed: 42 })
    return { txt: translation.status === 'verified' ? `${translation.instruction}\n` : translation.reason }
  },
)
