/** Which measures of reports are better the lower they are. */
import { expect, test } from '@jest/globals'
import { isLowerBetter } from './every-eval-ever.ts'

test.each([
  ...['Wrong URLs (e)', 'Illegal implementations (t)', 'Missing arguments (t)', 'Unexpected arguments (e)'],
  ...['Unnecessary arguments (t)', 'Incomplete implementations', 'Timeouts', 'No requests', 'Vanished'],
  ...['Diverged', 'Not run', 'Parsing errors', 'Mean extra steps', 'Mean wrong calls', 'Unexpected changes'],
  ...['Calls without a judge', 'Unsatisfiable constraints (of errors)'],
])('%s: the lower the better', (name) => expect(isLowerBetter(name)).toBe(true))

test.each([
  ...['Pass rate', 'pass@5', 'Correct implementations (t)', 'Mean argument recall (e)', 'Win rate'],
  ...['Passed after a wrong call', 'Call accuracy', 'Self-correction rate', 'Full sequence match'],
])('%s: the higher the better', (name) => expect(isLowerBetter(name)).toBe(false))
