/** The isolation of candidates from the host and from each other, strongest first. */
export const levels = ['gvisor', 'process-jail', 'warm-jail', 'unsafe-process'] as const
/** The stronger of two. */
export const stronger = (a: Level, b: Level): Level => levels[Math.min(levels.indexOf(a), levels.indexOf(b))]!
export type Level = (typeof levels)[number]
