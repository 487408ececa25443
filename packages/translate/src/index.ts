export { readInstruction } from './read.ts'
export * from './translate.ts'
