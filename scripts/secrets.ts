/** Fails where a file of the repository holds what looks like a secret, by secretlint's recommended rules. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { root } from './generated.ts'

/** Users and passwords that tests and documentation make up are of hosts that mean nothing elsewhere. */
const inventedHosts =
  '/@(?:db|mongo|mongodb|host|localhost|127\\.0\\.0\\.1|[\\w.-]+\\.example\\.com)(?::\\d+)?(?:\\/|$)/'
const databases = '@secretlint/secretlint-rule-database-connection-string'
const id = '@secretlint/secretlint-rule-preset-recommend'
const config = {
  rules: [{ id, rule: creator, rules: [{ id: databases, options: { allows: [inventedHosts] } }] }],
}

/** Lists what looks like a secret in a text: line (from 1) and kind, never the secret itself. */
export async function secretsIn(filePath: string, content: string): Promise<string[]> {
  const ext = filePath.slice(filePath.lastIndexOf('.'))
  const source = { filePath, content, contentType: 'text', ext } as const
  const { messages } = await lintSource({ source, options: { config, maskSecrets: true } })
  return messages.map(({ loc, message }) => `${filePath}:${loc.start.line}: ${message}`)
}

/** Files that are or would be committed; without git, all but what is installed or made. */
function repositoryFiles(): string[] {
  if (!existsSync(join(root, '.git')))
    return globSync('**/*', { cwd: root, exclude: ['**/node_modules', '.stateeval', 'coverage'] })
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
}

if (import.meta.main) {
  let count = 0
  for (const path of repositoryFiles()) {
    const file = join(root, path)
    if (path === '' || !existsSync(file) || !statSync(file).isFile()) continue
    for (const line of await secretsIn(path, readFileSync(file, 'utf8'))) {
      console.error(line)
      count++
    }
  }
  if (count > 0)
    console.error(
      'Remove these secrets, and revoke those that were ever pushed. An invented one belongs to example.com.',
    )
  process.exitCode = count > 0 ? 1 : 0
}
