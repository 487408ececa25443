/** The probe of a model before its evaluation. */
import type { EvaluationProbe } from '@stateeval/contracts'

/** Why it failed, or what is off; null if nothing is, or if there was none. */
export function probeNote(model: string, probe: EvaluationProbe | undefined): string | null {
  if (!probe) return null
  const { status, reason, remedies = [] } = probe
  if (status === 'failed') return `The probe of ${model} failed, and the evaluation continued: ${reason}`
  return remedies.length === 0 ? null : [`The probe of ${model} found:`, ...remedies].join('\n- ')
}
