/** The benchmark's verdicts. */
import { errorTypes } from './dialogue/decisions.ts'

/**
 * `wrong_state`: by the state that it left (policy `state`). `limit`: a limit ended the dialogue. Two are of
 * the policy that did not lead a dialogue: `unrecorded`, the published evaluator records nothing of it;
 * `diverged`, it would have answered the model otherwise.
 */
export const verdicts = [
  'success',
  ...errorTypes,
  'wrong_state',
  'limit',
  'unrecorded',
  'diverged',
  'infrastructure_error',
] as const
