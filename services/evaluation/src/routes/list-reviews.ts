import type { Review } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { placeOf } from '../resources.ts'
import { reviewable, reviewOf } from '../reviews.ts'

export const listReviews: Route<'listReviews'> = async ({ params: { id }, query: { limit = 50, cursor, status } }, context) => {
  const build = await reviewable(context, id)
  const items: Review[] = []
  let index = placeOf(cursor)
  for (; index < build.total && items.length < limit; index++) {
    const evidence = await build.at(index)
    if (evidence && (status === undefined || evidence.status === status)) items.push(await reviewOf(context, build, evidence))
  }
  return { status: 200, body: { items, ...(index < build.total && { next: String(index) }) } }
}
