/**
 * Verdicts for code that was run beside a reference, in the order in which they are shown (StateEval, section
 * IV-E, refined).
 */
export const codeVerdicts = [
  'passed',
  'no_code',
  'syntax_error',
  'execution_error',
  'result_error',
  'timeout',
  'resource_limit',
  'infrastructure_error',
] as const
export type CodeVerdict = (typeof codeVerdicts)[number]
