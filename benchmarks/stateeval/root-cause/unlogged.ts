/**
 * Causes where the world's log doesn't tell the calls: functions that compute in the program itself. Only the
 * code and its error do.
 */
import { createCause, type RootCauseEvidence, type RootCauseSituation } from './situation.ts'
import { explainMissingPart } from './errors.ts'
import { formatSteady } from './texts.ts'

/** null where neither says anything. */
export function explainUnlogged(situation: RootCauseSituation): RootCauseEvidence | null {
  const {
    verdict,
    evidence: { error },
    expectedCalls,
    code,
  } = situation
  if (error) return explainError(error, situation)
  if (verdict !== 'result_error' || code === undefined) return null
  const at = expectedCalls.findIndex(({ api }) => !new RegExp(`\\b${api}\\s*\\(`).test(code))
  if (at < 0) return null
  const { api } = expectedCalls[at]!
  return createCause(
    'instruction_not_followed',
    'missing_call',
    `call ${at + 1}: the code does not call ${api}`,
    { api },
  )
}

function explainError(
  error: NonNullable<RootCauseSituation['evidence']['error']>,
  situation: RootCauseSituation,
): RootCauseEvidence | null {
  const { name, message } = error
  const says = formatSteady(message)
  if (/has no attribute|is not a function|is not callable/.test(message))
    return createCause(
      'documentation_misread',
      'unknown_endpoint',
      `the code calls an undocumented function: ${says}`,
    )
  if (
    /unexpected keyword|unknown (?:option|argument)|takes .*arguments? but|missing .*required|multiple values/.test(
      message,
    )
  )
    return createCause(
      'documentation_misread',
      'unknown_parameter',
      `the code passes arguments that are not documented: ${says}`,
    )
  if (
    name === 'TypeError' ||
    /must be (?:a )?(?:Tensor|tuple|list|int)|invalid combination|padding string/.test(message)
  )
    return createCause(
      'documentation_misread',
      'wrong_form',
      `the code passes an argument whose form differs from the documentation: ${says}`,
    )
  if (/groups=|channels|Kernel size|split_sizes? /.test(message))
    return createCause(
      'implicit_state_mismanaged',
      'wrong_shape',
      `a value has another shape than the code expects: ${says}`,
    )
  return explainMissingPart(error, situation, [])
}
