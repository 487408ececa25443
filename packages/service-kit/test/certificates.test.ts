import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { findExpiry } from '../src/certificates.ts'

test('the earliest end counts, and keys are no certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stateeval-certificates-'))
  try {
    const made = (days: number) => {
      const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
      const name = ['-subj', '/CN=test', '-days', String(days), '-keyout', key, '-out', cert]
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...name],
        { stdio: 'pipe' },
      )
      return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    }
    const [soon, late] = [made(3), made(300)]
    const days = (findExpiry(late.cert + soon.key + soon.cert)! - Date.now() / 1000) / 86_400
    expect(Math.round(days)).toBe(3)
    expect(findExpiry(soon.key)).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
