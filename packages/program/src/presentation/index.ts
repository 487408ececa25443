export * from './causes.ts'
export * from './format.ts'
export * from './opinions.ts'
export * from './presentation.ts'
