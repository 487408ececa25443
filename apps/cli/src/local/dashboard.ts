/** The dashboard's files, which evaluation serves: built in a checkout, included in an image. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkout, findPinnedNode } from './home.ts'

/** Builds the dashboard if it is missing or older than its sources. Without it everything else works. */
export async function ensureDashboard(report: (progress: { step: string }) => void): Promise<void> {
  const script = join(checkout, 'apps/dashboard/build.ts')
  if (!existsSync(script)) return
  try {
    const { stdout } = await promisify(execFile)(findPinnedNode(), [script], { cwd: checkout })
    if (/built/.test(stdout)) report({ step: stdout.trim() })
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    const why = /^\w*Error.*: (.+)$/m.exec(stderr)?.[1] ?? message
    report({
      step: `The dashboard could not be built: ${why} Build it alone to see the error: node apps/dashboard/build.ts`,
    })
  }
}
