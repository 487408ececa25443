/**
 * Causes where the world's log doesn't tell the calls: functions that compute in the program itself. Only the
 * code and its error do.
 */
import { because, type Cause, type RootCauseSituation } from './situation.ts'
import { missingPart } from './errors.ts'
import { steady } from './texts.ts'

/** null where neither says anything. */
export function fromCode(situation: RootCauseSituation): Cause | null {
  const {
    verdict,
    evidence: { error },
    expectedCalls,
    code,
  } = situation
  if (error) return ofError(error, situation)
  if (verdict !== 'result_error' || code === undefined) return null
  const missing = expectedCalls.find(({ api }) => !new RegExp(`\\b${api}\\s*\\(`).test(code))
  return missing
    ? because('instruction_not_followed', 'missing_call', `the code does not call ${missing.api}`, {
        api: missing.api,
      })
    : null
}

function ofError(
  error: NonNullable<RootCauseSituation['evidence']['error']>,
  situation: RootCauseSituation,
): Cause | null {
  const { name, message } = error
  const says = steady(message)
  if (/has no attribute|is not a function|is not callable/.test(message))
    return because(
      'documentation_misread',
      'unknown_endpoint',
      `the code calls an undocumented function: ${says}`,
    )
  if (
    /unexpected keyword|unknown (?:option|argument)|takes .*arguments? but|missing .*required|multiple values/.test(
      message,
    )
  )
    return because(
      'documentation_misread',
      'unknown_parameter',
      `the code passes arguments that are not documented: ${says}`,
    )
  if (
    name === 'TypeError' ||
    /must be (?:a )?(?:Tensor|tuple|list|int)|invalid combination|padding string/.test(message)
  )
    return because(
      'documentation_misread',
      'wrong_form',
      `the code passes an argument whose form differs from the documentation: ${says}`,
    )
  if (/groups=|channels|Kernel size|split_sizes? /.test(message))
    return because(
      'implicit_state_mismanaged',
      'wrong_shape',
      `a value has another shape than the code expects: ${says}`,
    )
  return missingPart(error, situation, [])
}
