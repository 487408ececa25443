import type { Route } from '../context.ts'
import { decide, reviewable } from '../reviews.ts'

export const decideReview: Route<'decideReview'> = async ({ params: { id, case: name }, body }, context) => ({
  status: 200,
  body: await decide(context, await reviewable(context, id), name, body),
})
