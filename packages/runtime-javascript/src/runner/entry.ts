/** The bundle's exports: the jail’s main, and a first run for the code cache. */
export { main } from './main.ts'
export { warmModules } from './warm.ts'
