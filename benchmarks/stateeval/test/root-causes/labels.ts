/**
 * What a mutation operator's mistake is, said before any rule was measured: by the sentences of labelled.ts.
 */
import type { DocumentedEndpoint } from '../../root-cause/requests.ts'
import type { Label } from './labelled.ts'
import type { RecordedMutant } from './recorded.ts'

/** The mistake at this site; null where the operator says nothing of a cause. */
export function labelOf(
  { operator, site }: RecordedMutant,
  endpoints: readonly DocumentedEndpoint[],
): Label | null {
  const ofAnswer = /(?::|→) ?response_\d/.test(site) || /: response_/.test(site)
  switch (operator) {
    case 'wrong_endpoint': {
      const [, method, path] = /→ (\w+) (\S+)$/.exec(site) ?? []
      const documented = endpoints.some((one) => one.method === method && one.path === path)
      return documented ? 'instruction_not_followed' : 'documentation_misread'
    }
    case 'swapped_arguments':
      return 'documentation_misread'
    case 'wrong_id':
      return 'implicit_state_mismanaged'
    case 'wrong_element':
    case 'wrong_variable':
      return ofAnswer ? 'implicit_state_mismanaged' : 'instruction_not_followed'
    default:
      return 'instruction_not_followed'
  }
}

/** The operators that no rule was written on: every second one of those that there were. */
export const heldOut = [
  'duplicated_call',
  'wrong_endpoint',
  'swapped_arguments',
  'wrong_element',
  'wrong_field',
  'dropped_edit',
  'negated_condition',
  'wrong_condition',
]
