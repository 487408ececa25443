import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import type { CertificateStatement } from '@stateeval/contracts'
import {
  formatCertificateFile,
  resolveKeyId,
  parsePrivateKey,
  signStatement,
  verifyCertificate,
} from './signing.ts'

const keyOf = (type: 'ed25519' | 'x25519') =>
  generateKeyPairSync(type as 'ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const hash = '0123456789abcdef'.repeat(4)
const options = {
  samples: 1,
  prompting: 'direct',
  documentation: 'full',
  rounds: 2,
  shots: 3,
  seed: 1,
} as const
const statement: CertificateStatement = {
  certificate: 1,
  madeAt: '2026-11-24T12:00:00.000Z',
  benchmark: {
    digest: hash,
    kind: 'stateeval',
    versions: { generator: '5' },
    seed: 1,
    options: { languages: ['javascript'] },
    counts: { generated: 2, passed: 2, kept: 1 },
    files: { 'cases.jsonl': hash },
  },
  version: '7',
  replay: [{ options, result: hash, cases: 1, passed: 1, notScored: 0 }],
  mutation: null,
  roundTrip: { cases: 1, verified: 1, others: [] },
  failedByAll: { models: [{ model: 'größe', options, result: hash }], cases: [] },
}
const pem = keyOf('ed25519')
const bytes = Buffer.from(formatCertificateFile(signStatement(statement, parsePrivateKey(pem, 'key.pem'))))

test('a certificate is what was signed, by whom it says', () => {
  const certificate = verifyCertificate(bytes)
  expect(certificate.statement).toEqual(statement)
  expect(certificate.signature.keyId).toBe(resolveKeyId(pem))
  expect(resolveKeyId(` ${certificate.signature.keyId}\n`)).toBe(certificate.signature.keyId)
})

test('whatever bit of whatever byte is flipped, it is rejected', () => {
  for (let at = 0; at < bytes.length; at++) {
    const flipped = Buffer.from(bytes)
    flipped[at]! ^= 1 << (at % 8)
    expect(() => verifyCertificate(flipped)).toThrow()
  }
  expect(() => verifyCertificate(Buffer.concat([bytes, Buffer.from(' ')]))).toThrow('not canonical JSON')
})

test('another statement under the same signature, and the same under another key, are rejected', () => {
  const { signature } = verifyCertificate(bytes)
  const other = { ...statement, roundTrip: null }
  expect(() =>
    verifyCertificate(Buffer.from(formatCertificateFile({ statement: other, signature }))),
  ).toThrow('does not match')
  const { keyId, key } = signStatement(statement, parsePrivateKey(keyOf('ed25519'), 'other')).signature
  const swapped = { statement, signature: { ...signature, keyId, key } }
  expect(() => verifyCertificate(Buffer.from(formatCertificateFile(swapped)))).toThrow('does not match')
})

test('what is no key, or one for something else, is said so', () => {
  expect(() => parsePrivateKey('no key', 'key.pem')).toThrow(
    'key.pem does not contain a private key in PEM; make one with',
  )
  expect(() => parsePrivateKey(keyOf('x25519'), 'key.pem')).toThrow('key.pem is a key for x25519')
  expect(() => resolveKeyId('abc')).toThrow('neither a PEM nor the id')
})
