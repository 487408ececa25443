/** One program in the sandbox. */
import type { ExecutionRequest, ExecutionResult } from '@stateeval/contracts'
import { completeLimits } from '@stateeval/sandbox'
import type { Context } from './context.ts'

export async function execute(
  request: ExecutionRequest,
  { sandbox, world }: Pick<Context, 'sandbox' | 'world'>,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const { language, code, inputs, limits, sandbox: level } = request
  const observations = await sandbox.run(
    {
      language,
      code,
      inputs,
      world: world(request.world, '/world'),
      limits: completeLimits(limits),
      ...(level !== undefined && { level }),
    },
    signal,
  )
  return { observations, runtime: sandbox.fingerprint }
}
