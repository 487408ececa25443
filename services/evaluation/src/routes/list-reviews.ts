import type { Review } from '@stateeval/contracts'
import { fillPage } from '@stateeval/service-kit'
import type { Route } from '../context.ts'
import { placeOf } from '../places.ts'
import { reviewable, reviewOf } from '../reviews.ts'

export const listReviews: Route<'listReviews'> = async (
  { params: { id }, query: { limit = 50, cursor, status } },
  context,
) => {
  const build = await reviewable(context, id)
  let index = placeOf(cursor)
  /** `index` is the place of the review that was yielded last. */
  async function* reviews(): AsyncGenerator<Review> {
    for (; index < build.total; index++) {
      const evidence = await build.at(index)
      if (evidence && (status === undefined || evidence.status === status))
        yield await reviewOf(context, build, evidence)
    }
  }
  const { items, more } = await fillPage(reviews(), limit)
  return { status: 200, body: { items, ...(more && { next: String(index) }) } }
}
