/** Every service's operations. A service adds its file and a line here. */
export * from './evaluation/index.ts'
export * from './execution/index.ts'
export * from './scoring.ts'
export * from './trace-generation.ts'
export * from './translation.ts'
