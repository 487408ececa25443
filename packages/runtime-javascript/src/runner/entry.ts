/** The bundle's exports: the jail’s main, and the module loader for warming the code cache. */
export { main } from './main.ts'
export { load } from './modules.ts'
export { run, stage } from './run.ts'
