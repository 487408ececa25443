/** Licences, secrets and vulnerabilities are found where there are some. */
import { expect, test } from '@jest/globals'
import { readAudit } from './audit.ts'
import { goFaults, npmFaults } from './licences.ts'
import { isAllowed } from './licences/allowed.ts'
import { goModules, licenceOf } from './licences/go.ts'
import { secretsIn } from './secrets.ts'

test.each([
  ['MIT', true],
  ['GPL-3.0', false],
  ['', false],
  ['(MIT OR GPL-3.0)', true],
  ['MIT AND GPL-3.0', false],
  ['GPL-3.0 OR MIT AND ISC', true],
  ['(GPL-3.0 OR MIT) AND GPL-2.0', false],
  ['MIT AND (GPL-3.0 OR (ISC AND MIT))', true],
  ['(MIT', false],
  ['MIT)', false],
  ['MIT MIT', false],
  ['MIT OR', false],
  ['Apache-2.0 WITH LLVM-exception', false],
  ['SEE LICENSE IN LICENSE', false],
])('whether %s is allowed: %s', (expression, isFine) => {
  expect(isAllowed(expression, new Set(['MIT', 'ISC', 'Apache-2.0']))).toBe(isFine)
})

test('npm packages: no licence, a forbidden one, and one that its own manifest contradicts', () => {
  const packages = {
    '': { license: 'Apache-2.0' },
    'packages/score': {},
    'node_modules/@stateeval/score': { link: true },
    'node_modules/fine': { license: 'MIT' },
    'node_modules/none': {},
    'node_modules/fine/node_modules/@a/bound': { license: 'AGPL-3.0' },
    'node_modules/data': { license: 'CC-BY-4.0', dev: true },
    'node_modules/shipped-data': { license: 'CC-BY-4.0' },
    'node_modules/changed': { license: 'MIT' },
  }
  const manifest = (path: string) => (path.endsWith('changed') ? { license: 'GPL-2.0' } : null)
  expect(npmFaults(packages, manifest)).toEqual([
    'none names no licence',
    '@a/bound is AGPL-3.0, which is not allowed for what is shipped',
    'shipped-data is CC-BY-4.0, which is not allowed for what is shipped',
    'changed is MIT by the lock file and GPL-2.0 by its own manifest',
  ])
})

const module = `module example.com/a

go 1.24.0

require a.example/one v1.0.0
require (
	a.example/Two/v2 v2.0.0 // indirect
)
replace a.example/one => ../one
`

test('Go modules: their list is complete, true and allowed', () => {
  expect(goModules(module)).toEqual([
    { name: 'a.example/one', version: 'v1.0.0' },
    { name: 'a.example/Two/v2', version: 'v2.0.0' },
  ])
  const texts: Record<string, string> = { 'a.example/one': 'The  Apache License\n  Version 2.0' }
  const faults = (listed: Record<string, string>) => goFaults(module, listed, (name) => texts[name] ?? null)
  expect(faults({ 'a.example/one': 'Apache-2.0', 'a.example/Two/v2': 'MIT' })).toEqual([])
  expect(faults({ 'a.example/one': 'MIT', 'a.example/Two/v2': 'GPL-3.0', other: 'MIT' })).toEqual([
    'other is in no go.mod. Run: node scripts/licences.ts --write',
    'a.example/one is listed as MIT, and its text is Apache-2.0',
    'a.example/Two/v2 is GPL-3.0, which is not allowed',
  ])
  expect(faults({ 'a.example/one': 'Apache-2.0' })).toHaveLength(1)
})

test.each([
  [
    'MPL-2.0',
    'Mozilla Public License Version 2.0 … Secondary License: the GNU Affero General Public License',
  ],
  ['AGPL-3.0', 'GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3. See also the GNU General Public License'],
  ['BSD-2-Clause', 'Redistribution and use in source and binary forms,\nwith or without modification, are'],
  [null, 'Do what you like.'],
])('the text of %s', (licence, text) => {
  expect(licenceOf(text)).toBe(licence)
})

test('secrets are found by line, and invented ones of example hosts are not', async () => {
  // Put together here, since the scan reads this file, too.
  const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
  const [finding, ...more] = await secretsIn('some/file.ts', `const a = 1\nconst token = '${token}'\n`)
  expect(more).toEqual([])
  expect(finding).toMatch(/^some\/file\.ts:2: .*GitHub/)
  expect(finding).not.toContain(token)
  const uri = (host: string) => ['mongodb', `://me:hunter2@${host}/x`].join('')
  expect(await secretsIn('a.ts', uri('mongo.internal.acme.dev:27017'))).toHaveLength(1)
  expect(await secretsIn('a.ts', uri('mongo.example.com:27017'))).toEqual([])
})

test('an audit is fine, or names what is severe, or was none', () => {
  const via = [{ title: 'Anyone may write', url: 'https://example.com/1' }, 'deep']
  const report = (severity: string) => JSON.stringify({ vulnerabilities: { pkg: { severity, via } } })
  expect(readAudit('{"vulnerabilities":{}}')).toEqual({ outcome: 'fine' })
  expect(readAudit(report('moderate'))).toEqual({ outcome: 'fine' })
  expect(readAudit(report('high'))).toEqual({
    outcome: 'vulnerable',
    says: 'pkg (high): Anyone may write (https://example.com/1); through deep',
  })
  for (const printed of ['', '{"message":"405 Method Not Allowed","method":"POST"}'])
    expect(readAudit(printed)).toMatchObject({ outcome: 'skipped' })
})
