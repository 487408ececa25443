/**
 * What seed 42 gives, as reviewable files; STATEEVAL_UPDATE_GOLDEN=1 rewrites them. A change here changes
 * every benchmark.
 */
import { join } from 'node:path'
import { pinPrograms } from '../../test/golden.ts'
import { elevenLabsMcp } from '../index.ts'

pinPrograms(elevenLabsMcp, join(import.meta.dirname, '../golden'), {
  planned: { count: 4 },
  coverage: { count: 2, strategy: 'coverage' },
  random: { count: 2, strategy: 'random' },
  straight: { count: 2, controlFlow: false },
  nested: { count: 1, branches: 3 },
})
