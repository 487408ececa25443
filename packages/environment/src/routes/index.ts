/** Handlers of episodes and streams. */
import * as episodes from './episodes.ts'
import * as streams from './streams.ts'

export type { PartyChooser } from './episodes.ts'

export const environmentHandlers = { ...episodes, ...streams }
