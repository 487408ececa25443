/** Where a request comes from, as the audit log has it, behind proxies and without. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import { parseProxies } from '../src/http/proxies.ts'
import { createLog, runInProject, type RunningService, startService } from '../src/index.ts'
import { toy } from './toy.ts'

test.each<[string, string[], RegExp | undefined]>([
  ['nobody', [], undefined],
  ['addresses and networks', ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'], undefined],
  ['a name', ['ingress'], /ingress: name an address, or a network/],
  ['a network that is too narrow to be one', ['10.0.0.0/33'], /name an address/],
  ['no prefix', ['10.0.0.0/'], /name an address/],
  ['two prefixes', ['10.0.0.0/8/8'], /name an address/],
  [
    'everybody',
    ['10.0.0.1', '0.0.0.0/0', '::/0'],
    /0\.0\.0\.0\/0 includes every address.*\n.*::\/0 includes every address/,
  ],
])('%s as trusted proxies', (_, listed, fault) => {
  if (fault) expect(() => parseProxies(listed)).toThrow(fault)
  else expect(parseProxies(listed)).toEqual(listed)
})

let servers: Servers
const running: RunningService[] = []
beforeAll(async () => {
  servers = await startServers()
})
afterAll(async () => {
  for (const service of running) await service.stop(0)
  await servers?.stop()
})

/** Addresses in the audit log after requests of this machine, one for each value of X-Forwarded-For. */
async function auditedFrom(trusted: string, forwarded: (string | undefined)[]): Promise<string[]> {
  const env = {
    ...servers.env,
    PORT: '0',
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_TRUSTED_PROXIES: trusted,
  }
  const service = await startService(toy, { env, log: createLog('toy', { level: 'silent' }) })
  running.push(service)
  for (const value of forwarded) {
    const headers = { ...(value !== undefined && { 'x-forwarded-for': value }) }
    expect((await fetch(`${service.url}/v1/things/a`, { method: 'DELETE', headers })).status).toBe(204)
  }
  const { audit } = service.platform
  const entries = await runInProject('default', () => audit.page({}, undefined, 100))
  return entries.map(({ from }) => from)
}

test('the word of a trusted proxy counts, up to the first address that is not one', async () => {
  const headers = [
    '203.0.113.9',
    '198.51.100.1, 203.0.113.9',
    '203.0.113.9, 10.1.2.3',
    'drop table, x',
    undefined,
  ]
  expect(await auditedFrom('127.0.0.1,10.0.0.0/8', headers)).toEqual([
    '203.0.113.9',
    // What stands before was written by the caller.
    '203.0.113.9',
    '203.0.113.9',
    '127.0.0.1',
    '127.0.0.1',
  ])
})

test('nobody else is believed', async () => {
  expect(await auditedFrom('', ['203.0.113.9'])).toEqual(['127.0.0.1'])
  expect(await auditedFrom('10.0.0.0/8', ['203.0.113.9'])).toEqual(['127.0.0.1'])
})
