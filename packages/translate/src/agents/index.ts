export * from './answers.ts'
export * from './brief.ts'
export * from './leaks.ts'
export * from './negotiate.ts'
export * from './prompts.ts'

/** Incremented whenever the protocol changes; the prompts are versioned by their own hash. */
export const agentsVersion = '3'
