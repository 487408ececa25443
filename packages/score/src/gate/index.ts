export * from './gate.ts'
export * from './pairs.ts'
