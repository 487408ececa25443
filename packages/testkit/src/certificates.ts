/** Certificates for a test, made by openssl: an authority, and certificates that it signed. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificate {
  certFile: string
  keyFile: string
  /** Both in one file, as MongoDB's drivers want them. */
  bothFile: string
}
export interface Authority {
  /** Signed by itself. */
  caFile: string
  keyFile: string
  /** For this machine, as a server and as a client. */
  issue(name: string): Promise<Certificate>
}

const openssl = (...args: string[]) => promisify(execFile)('openssl', args)
const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc']

/** `name` tells its files from those of another one in the same folder. */
export async function makeAuthority(folder: string, name = 'ca'): Promise<Authority> {
  const at = (file: string) => join(folder, `${name}-${file}`)
  const caFile = at('ca.pem')
  await openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    `/CN=${name}`,
    '-keyout',
    at('ca.key'),
    '-out',
    caFile,
    '-days',
    '2',
  )
  return {
    caFile,
    keyFile: at('ca.key'),
    async issue(subject) {
      const [certFile, keyFile, bothFile] = ['pem', 'key', 'both.pem'].map((end) =>
        at(`${subject}.${end}`),
      ) as [string, string, string]
      const signed = [
        '-CA',
        caFile,
        '-CAkey',
        at('ca.key'),
        '-addext',
        'subjectAltName=IP:127.0.0.1,DNS:localhost',
      ]
      await openssl(
        'req',
        '-x509',
        ...key,
        '-subj',
        `/CN=${subject}`,
        ...signed,
        '-addext',
        'basicConstraints=critical,CA:false',
        '-keyout',
        keyFile,
        '-out',
        certFile,
        '-days',
        '2',
      )
      await writeFile(bothFile, (await readFile(certFile, 'utf8')) + (await readFile(keyFile, 'utf8')))
      return { certFile, keyFile, bothFile }
    },
  }
}
