import type { Review } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { placeOf } from '../resources.ts'
import { outcomeAt, reviewable, reviewOf } from '../reviews.ts'

export const listReviews: Route<'listReviews'> = async ({ params: { id }, query: { limit = 50, cursor, status } }, context) => {
  const owner = await reviewable(context, id)
  const { total = 0 } = owner.stages['programs'] ?? {}
  const items: Review[] = []
  let index = placeOf(cursor)
  for (; index < total && items.length < limit; index++) {
    const review = (await outcomeAt(context, owner, index))?.review
    if (review && (status === undefined || review.status === status)) items.push(await reviewOf(context, owner, review))
  }
  return { status: 200, body: { items, ...(index < total && { next: String(index) }) } }
}
