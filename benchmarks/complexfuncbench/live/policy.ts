/** The third policy: a dialogue is led and judged by the world that it is about. */
import { policies as byGoldenCalls } from '../dialogue/converse.ts'

export const statePolicy = 'state'
export const policies = [...byGoldenCalls, statePolicy] as const
