/** When the certificates that a service shows to others expire. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Gauge, type Registry } from 'prom-client'
import type { BaseConfig } from './config.ts'

/** The earliest end of the certificates in a text, in seconds since 1970; undefined if it has none. */
export function findExpiry(pem: string): number | undefined {
  const ends = pem
    .split(/(?=-----BEGIN )/)
    .filter((block) => block.startsWith('-----BEGIN CERTIFICATE-----'))
    .map((block) => new X509Certificate(block).validToDate.getTime() / 1000)
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/** Files by whom they are shown to; a service reads them when it starts. */
function listCertificateFiles({
  http,
  nats,
  mongo,
}: BaseConfig): [certificate: string, file: string | undefined][] {
  const inUri = /[?&]tlsCertificateKeyFile=(?<file>[^&]+)/.exec(mongo.uri)?.groups!['file']
  return [
    ['callers', http.tls?.certFile],
    ['nats', nats.certFile],
    ['mongodb', inUri && decodeURIComponent(inUri)],
  ]
}

export function observeCertificates(registry: Registry, config: BaseConfig): void {
  const gauge = new Gauge({
    name: 'stateeval_certificate_expiry_timestamp_seconds',
    help: 'When a certificate of this service expires, by whom it is shown to',
    labelNames: ['certificate'],
    registers: [registry],
  })
  for (const [certificate, file] of listCertificateFiles(config)) {
    const expiry = file === undefined ? undefined : findExpiry(readFileSync(file, 'utf8'))
    if (expiry !== undefined) gauge.set({ certificate }, expiry)
  }
}
