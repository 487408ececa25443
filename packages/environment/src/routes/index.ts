/** Handlers of episodes and streams. */
import * as episodes from './episodes.ts'
import * as streams from './streams.ts'

export const episodeHandlers = { ...episodes }
export const streamHandlers = { ...streams }
