/** Raised where prompts, scores or reports change. */
export const version = '4'
