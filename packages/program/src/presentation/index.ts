export * from './format.ts'
export * from './presentation.ts'
