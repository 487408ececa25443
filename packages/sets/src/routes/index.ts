/** Handlers of sets as files and of their cases. */
import * as files from './benchmark-files.ts'
import * as cases from './cases.ts'

export const setHandlers = { ...files, ...cases }
