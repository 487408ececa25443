export { choosePython, type ExaminedInterpreter, describeMissingPython } from './choose.ts'
export { createPython } from './runtime.ts'
