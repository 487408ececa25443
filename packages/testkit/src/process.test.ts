import { expect, test } from '@jest/globals'
import { startProcess } from './process.ts'

test('a service that ends before it is ready is reported at once, with what it wrote', async () => {
  await expect(startProcess('scoring', { LOG_LEVEL: 'nonsense' })).rejects.toThrow(
    /scoring ended with 2 before it was ready:[^]*LOG_LEVEL/,
  )
})
