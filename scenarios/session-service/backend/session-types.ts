/** The eight types of sessions, each a collection of its own. */
import { Refusal } from './errors.ts'

export const sessionTypes = [
  'main_session',
  'virtual_study',
  'group',
  'comparison_session',
  'settings',
  'custom_data',
  'genomic_chart',
  'custom_gene_list',
] as const
export type SessionType = (typeof sessionTypes)[number]

/** The type of this exact spelling; else 400. */
export function sessionType(text: string): SessionType {
  const type = sessionTypes.find((known) => known === text)
  if (!type) throw new Refusal(400, `valid types are: ${sessionTypes.join(', ')}`)
  return type
}
