/**
 * Signatures of certificates: Ed25519 over canonical JSON. The certificate's file is canonical, too, so a
 * change of any byte is detected.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import {
  canonicalJson,
  type Certificate,
  Certificate as CertificateSchema,
  type CertificateStatement,
} from '@stateeval/contracts'
import Value from 'typebox/value'
import { Failure } from '../command.ts'

const prefix = 'stateeval certificate 1\n'
const encodeStatement = (statement: CertificateStatement) => Buffer.from(prefix + canonicalJson(statement))
const exportSpki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
const computeKeyId = (der: Buffer) => createHash('sha256').update(der).digest('hex')

const howToMake = 'make one with: openssl genpkey -algorithm ed25519 -out key.pem'

/** A private key in PEM. Throws a Failure if it is not an Ed25519 key. */
export function parsePrivateKey(pem: string, from: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Failure(`${from} does not contain a private key in PEM; ${howToMake}`)
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Failure(
      `${from} is a key for ${key.asymmetricKeyType}, and certificates need Ed25519; ${howToMake}`,
    )
  return key
}

/** The id of a public key, from its id or from PEM (a private key contains the public one). */
export function resolveKeyId(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text.trim())) return text.trim()
  try {
    return computeKeyId(exportSpki(createPublicKey(text)))
  } catch {
    throw new Failure('the key is neither a PEM nor the id of a public key (64 hexadecimal digits)')
  }
}

export function signStatement(statement: CertificateStatement, key: KeyObject): Certificate {
  const der = exportSpki(createPublicKey(key))
  const value = sign(null, encodeStatement(statement), key).toString('base64')
  return {
    statement,
    signature: { algorithm: 'Ed25519', key: der.toString('base64'), keyId: computeKeyId(der), value },
  }
}

export const formatCertificateFile = (certificate: Certificate) => `${canonicalJson(certificate)}\n`

/** The certificate in a file's bytes. Throws a Failure that names its fault. */
export function verifyCertificate(bytes: Buffer): Certificate {
  const text = bytes.toString('utf8')
  const certificate = parseCertificate(text)
  if (!Buffer.from(formatCertificateFile(certificate)).equals(bytes))
    throw new Failure('the file was changed: it is not canonical JSON', 1)
  const { statement, signature } = certificate
  const der = Buffer.from(signature.key, 'base64')
  // Other texts in base64 may stand for the same bytes.
  if (der.toString('base64') !== signature.key || computeKeyId(der) !== signature.keyId)
    throw new Failure('the id of the key is not the hash of the key: the certificate was changed', 1)
  if (!isSignedBy(der, statement, signature.value))
    throw new Failure('the signature does not match: the certificate was changed after it was signed', 1)
  return certificate
}

function parseCertificate(text: string): Certificate {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failure('the file is not valid JSON: it is damaged, or not a certificate', 1)
  }
  if (Value.Check(CertificateSchema, value)) return value
  throw new Failure('this version cannot read the file as a certificate', 1)
}

function isSignedBy(der: Buffer, statement: CertificateStatement, value: string): boolean {
  try {
    const key = createPublicKey({ key: der, type: 'spki', format: 'der' })
    const signature = Buffer.from(value, 'base64')
    if (signature.toString('base64') !== value || !exportSpki(key).equals(der)) return false
    return key.asymmetricKeyType === 'ed25519' && verify(null, encodeStatement(statement), key, signature)
  } catch {
    return false
  }
}
