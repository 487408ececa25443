export * from './agents/index.ts'
export { readInstruction } from './read.ts'
export * from './translate.ts'
