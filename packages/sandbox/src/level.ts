/** How far candidates are kept from the host and from each other: from the strongest down. */
export const levels = ['process-jail', 'warm-jail', 'unsafe-process'] as const
export type Level = (typeof levels)[number]
