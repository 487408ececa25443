/** The isolation of candidates from the host and from each other, strongest first. */
export const levels = ['gvisor', 'process-jail', 'warm-jail', 'unsafe-process'] as const
/** The stronger of two. */
export const chooseStronger = (a: IsolationLevel, b: IsolationLevel): IsolationLevel =>
  levels[Math.min(levels.indexOf(a), levels.indexOf(b))]!
export type IsolationLevel = (typeof levels)[number]
