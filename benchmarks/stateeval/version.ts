/** Version of prompts and scoring: a change that may change a verdict or a prompt's bytes changes it. */
export const version = '9'
