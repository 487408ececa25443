/** Tokens of an issuer that serves its keys over HTTP and changes them. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { createOidcVerifier, type VerifyToken } from '../src/access/oidc.ts'
import { readAccessConfig, accessSettings } from '../src/access/settings.ts'
import { createLog, readSettings } from '../src/index.ts'

const audience = 'stateeval'
let issuer = ''
let server: Server
let published: JWK[] = []
let fetched = 0
let verify: VerifyToken

const log = createLog('scoring', { level: 'silent' })
const configOf = (env: Record<string, string>) =>
  readAccessConfig('127.0.0.1', readSettings(accessSettings, env))
const seconds = () => Math.floor(Date.now() / 1000)

async function signer(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }
  const sign = (claims: Record<string, unknown> = {}) =>
    new SignJWT({
      iss: issuer,
      aud: audience,
      sub: 'ada',
      exp: seconds() + 600,
      team: { project: 'speech-team' },
      roles: ['stateeval-run', 'other'],
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey)
  return { jwk, sign }
}
let first: Awaited<ReturnType<typeof signer>>

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/jwks') fetched++
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(url === '/jwks' ? { keys: published } : { issuer, jwks_uri: `${issuer}/jwks` }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  first = await signer('one')
  published = [first.jwk]
  const { oidc } = configOf({
    STATEEVAL_OIDC_ISSUER: issuer,
    STATEEVAL_OIDC_AUDIENCE: audience,
    STATEEVAL_OIDC_PROJECT_CLAIM: 'team.project',
  })
  verify = createOidcVerifier(oidc!, { log, now: () => new Date(), cooldownMs: 0 })
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
})

test('a token of the issuer is a caller, with roles and project by claim; keys are fetched once', async () => {
  const caller = { subject: 'oidc:ada', project: 'speech-team', scopes: ['run'], by: 'token' }
  expect(await verify(await first.sign())).toEqual(caller)
  expect(await verify(await first.sign())).toEqual(caller)
  expect(fetched).toBe(1)
  expect(await verify(await first.sign({ roles: 'stateeval-read stateeval-admin' }))).toMatchObject({
    scopes: ['admin'],
  })
  expect(await verify(await first.sign({ roles: ['unknown'] }))).toMatchObject({ scopes: [] })
})

test.each([
  ['of another issuer', { iss: 'https://elsewhere.example' }],
  ['for another audience', { aud: 'another' }],
  ['that has expired, beyond the skew of clocks', { exp: seconds() - 60 }],
  ['that is not valid yet', { nbf: seconds() + 600 }],
  ['without an expiry', { exp: undefined }],
  ['without a subject', { sub: undefined }],
  ['without a project', { team: {} }],
  ['whose project is no id', { team: { project: '../default' } }],
])('a token %s is refused', async (_, claims) => {
  expect(await verify(await first.sign(claims))).toBeNull()
})

test('within the skew of clocks a token is taken', async () => {
  expect(await verify(await first.sign({ exp: seconds() - 10 }))).not.toBeNull()
})

test('what is unsigned, signed by another key or by a shared secret, or no token, is refused', async () => {
  const claims = {
    iss: issuer,
    aud: audience,
    sub: 'ada',
    exp: seconds() + 600,
    team: { project: 'speech-team' },
  }
  const stranger = await signer('one')
  const byCurve = new TextEncoder().encode(JSON.stringify(first.jwk))
  const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(byCurve)
  const torn = `${(await first.sign()).slice(0, -4)}AAAA`
  for (const token of [
    new UnsecuredJWT(claims).encode(),
    await stranger.sign(),
    shared,
    torn,
    'a.b.c',
    'hunter2',
  ])
    expect(await verify(token)).toBeNull()
})

test('a new key of the issuer is found, and one that it withdrew is refused', async () => {
  const second = await signer('two')
  published = [second.jwk]
  expect(await verify(await second.sign())).toMatchObject({ subject: 'oidc:ada' })
  expect(await verify(await first.sign())).toBeNull()
})

test('an issuer that cannot be reached is no fault of the token', async () => {
  const { oidc } = configOf({
    STATEEVAL_OIDC_ISSUER: 'http://127.0.0.1:1',
    STATEEVAL_OIDC_AUDIENCE: audience,
  })
  const away = createOidcVerifier(oidc!, { log, now: () => new Date() })
  await expect(away(await first.sign())).rejects.toThrow(/token issuer cannot be reached/)
})

test('only loopback is open without a word, and what contradicts is refused', () => {
  const modeAt = (host: string, env: Record<string, string> = {}) =>
    readAccessConfig(host, readSettings(accessSettings, env)).mode
  const key = { STATEEVAL_ADMIN_KEY: 'k'.repeat(32) }
  expect(modeAt('127.0.0.1')).toBe('loopback')
  expect(modeAt('::1')).toBe('loopback')
  expect(() => modeAt('0.0.0.0')).toThrow(/STATEEVAL_ADMIN_KEY.*STATEEVAL_ACCESS=open/)
  expect(modeAt('0.0.0.0', { STATEEVAL_ACCESS: 'open' })).toBe('open')
  expect(modeAt('0.0.0.0', key)).toBe('required')
  expect(modeAt('127.0.0.1', key)).toBe('required')
  expect(() => modeAt('0.0.0.0', { ...key, STATEEVAL_ACCESS: 'open' })).toThrow(/unset it/)
  expect(() => modeAt('127.0.0.1', { STATEEVAL_ADMIN_KEY: 'short' })).toThrow(/STATEEVAL_ADMIN_KEY/)
  expect(() => configOf({ STATEEVAL_OIDC_ISSUER: 'http://login.example.com' })).toThrow(/https[^]*AUDIENCE/)
  const none = { STATEEVAL_OIDC_ALGORITHMS: 'none,HS256', STATEEVAL_OIDC_AUDIENCE: audience }
  expect(() => configOf({ STATEEVAL_OIDC_ISSUER: issuer, ...none })).toThrow(/none[^]*HS256/)
})
