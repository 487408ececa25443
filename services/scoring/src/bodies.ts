/** The bodies of this service's operations, and what is made of them; threads load this file, too. */
import type { scoringOperations } from '@stateeval/contracts'
import { declareBodyComputation, type OperationBody, declareBodyReader } from '@stateeval/service-kit/bodies'
import { locateProblem, resolveNames, type ScoreOrder } from './score-order.ts'
import { isShortStatistics, computeStatistics } from './statistics.ts'

export { scoringOperations as operations } from '@stateeval/contracts'

export const works = {
  createScores: declareBodyReader(
    async (body: OperationBody<typeof scoringOperations.createScores>, isApart) => {
      const isBatch = 'items' in body
      const items = isBatch ? body.items : [body]
      if (isApart) {
        const { orderItems } = await import('./thread.ts')
        return { orders: orderItems(items, isBatch), isBatch }
      }
      const orders = items.map((item, n): ScoreOrder => {
        try {
          return { names: resolveNames(item), item }
        } catch (error) {
          throw locateProblem(isBatch ? `/items/${n}` : '', error)
        }
      })
      return { orders, isBatch }
    },
  ),
  computeStatistics: declareBodyComputation(computeStatistics, {
    takesLong: (body) => !isShortStatistics(body),
    isSlow: true,
  }),
}
