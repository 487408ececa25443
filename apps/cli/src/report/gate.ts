/** The verdict of a gate, with names of options. */
import type { GateCheck, GateVerdict } from '@stateeval/contracts'

/** A sentence of the service, with options in place of fields. */
export const inOptions = (sentence: string) =>
  sentence.replaceAll('`significant`', '--significant').replaceAll('`unscored`', '--unscored')

const remedy = ({ name, passed }: GateCheck) =>
  passed || name !== 'unscored' ? '' : ' Evaluate again, or allow some with --max-unscored.'

/** One sentence per check with its outcome, then the limits of the verdict. */
export function gateText(gate: GateVerdict): string {
  const lines = gate.checks.map(
    (check) => `  ${check.passed ? 'passed' : 'failed'}  ${inOptions(check.says)}${remedy(check)}`,
  )
  const notes = gate.notes.map((note) => `  note    ${inOptions(note)}`)
  return [gate.passed ? 'The gate passed.' : 'The gate failed.', ...lines, ...notes].join('\n')
}
