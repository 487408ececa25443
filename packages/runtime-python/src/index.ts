export { choosePython, type ExaminedInterpreter, noPython } from './choose.ts'
export { createPython } from './runtime.ts'
