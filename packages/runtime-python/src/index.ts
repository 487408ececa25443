export { choosePython, type Examined, noPython } from './choose.ts'
export { createPython } from './runtime.ts'
