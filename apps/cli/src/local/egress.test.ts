import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { egress } from './egress.ts'
import { checkout } from './home.ts'
import { serviceSettings } from './service-settings.ts'

test('docs/security.md lists every connection, and no other', async () => {
  const text = await readFile(join(checkout, 'docs/security.md'), 'utf8')
  const section = text.slice(text.indexOf('## Connections to other machines'))
  const rows = section
    .slice(0, section.indexOf('\n## ', 3))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
  expect(rows).toEqual(
    egress.map(
      ({ from, to, settings, when = 'always' }) =>
        `| ${[from, to, settings.map((name) => `\`${name}\``).join(', '), when].join(' | ')} |`,
    ),
  )
})

test('each setting of a service that names a target is listed', () => {
  const listed = new Set(egress.flatMap(({ settings }) => settings))
  const targets = serviceSettings.filter((name) =>
    /(_URI|_URL|_ENDPOINT|_ISSUER|_HOSTS|LIVE_APIS_FILE)$/.test(name),
  )
  expect(targets.filter((name) => !listed.has(name))).toEqual([])
})
