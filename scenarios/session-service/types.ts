/** The types of sessions, each with its own collection. */
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

/** Tells whether a text is the exact spelling of a type. */
export const isSessionType = (text: string): text is SessionType =>
  (sessionTypes as readonly string[]).includes(text)
