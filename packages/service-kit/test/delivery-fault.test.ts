import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type ConsumerLook, findDeliveryFault } from '../src/bus/streams.ts'

const looks = fc.record({ isAhead: fc.boolean(), leftOut: fc.nat(3), delivered: fc.nat(3) })

test('a consumer is at fault if it stands ahead, or leaves out the same work in two looks without a delivery', () => {
  fc.assert(
    fc.property(looks, fc.option(looks, { nil: undefined }), (look: ConsumerLook, before) => {
      const isStuck = look.leftOut > 0 && (before?.leftOut ?? 0) > 0 && before?.delivered === look.delivered
      expect(findDeliveryFault(look, before) !== null).toBe(look.isAhead || isStuck)
    }),
  )
})
