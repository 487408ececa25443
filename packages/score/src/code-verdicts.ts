/** Verdicts for code that ran next to a reference, in display order (StateEval, section IV-E, refined). */
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
