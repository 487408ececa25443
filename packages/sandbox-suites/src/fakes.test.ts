import { createFakeWorld } from './fakes.ts'
import { worldLaws } from './world-laws.ts'

worldLaws('the fake world', async () => createFakeWorld(), {
  initial: [{ '/x': 1 }, { '/y': [2] }],
  wrong: 'a text',
  change: { method: 'PUT', path: '/x', body: { n: 2 } },
})
