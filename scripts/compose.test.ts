/** What docker-compose.yml gives to each service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { serviceNames } from '@stateeval/contracts'
import { parse } from 'yaml'
import { baseSettings } from '../packages/service-kit/src/index.ts'
import { root } from './generated.ts'

const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { stop_grace_period?: string }>
}

test.each(serviceNames)('%s has longer to stop than it waits for its work', (service) => {
  // Ten seconds, where nothing is said.
  const seconds = Number.parseInt(services[service]!.stop_grace_period ?? '10')
  expect(seconds).toBeGreaterThanOrEqual(baseSettings.STATEEVAL_GRACE_SECONDS.default + 10)
})
