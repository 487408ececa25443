/** The third policy: a dialogue is led and judged by the world that it is about. */
import { policies as byGoldenCalls } from '../dialogue/converse.ts'

export const statePolicy = 'state'
export const policies = [...byGoldenCalls, statePolicy] as const

/** Why cases without a live world cannot be judged by a policy; null where they can. */
export const explainWithoutWorld = (policy: string | undefined) =>
  policy === statePolicy
    ? {
        field: '/policy',
        says: 'the cases of this set have no live world; choose another policy, or a set that the command build created',
      }
    : null
