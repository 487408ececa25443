/** One program in the sandbox. */
import { type ExecutionRequest, type ExecutionResult, type Input, ProblemError } from '@stateeval/contracts'
import { artifactsIn, resolveTensors } from '@stateeval/program'
import { completeLimits } from '@stateeval/sandbox'
import type { Context } from './context.ts'

/** Throws a problem where an input names an artifact that is not stored here, or that is no such tensor. */
export async function execute(
  request: ExecutionRequest,
  { sandbox, world, artifacts }: Pick<Context, 'sandbox' | 'world' | 'artifacts'>,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const { language, code, limits, sandbox: level } = request
  const observations = await sandbox.run(
    {
      language,
      code,
      inputs: await withTensors(request.inputs, artifacts),
      world: world(request.world, '/world'),
      limits: completeLimits(limits),
      ...(level !== undefined && { level }),
    },
    signal,
  )
  return { observations, runtime: sandbox.fingerprint }
}

/** The inputs with the values of tensors that are kept as artifacts. */
async function withTensors(inputs: Input[], artifacts: Context['artifacts']): Promise<Input[]> {
  const hashes = artifactsIn(inputs)
  if (hashes.length === 0) return inputs
  const files = new Map(await Promise.all(hashes.map(async (hash) => [hash, (await artifacts.get(hash)) ?? undefined] as const)))
  const resolved = resolveTensors(inputs, (hash) => files.get(hash))
  if (resolved.ok) return resolved.value
  throw new ProblemError('unprocessable', `${resolved.says}; store it first, or send the values as data`, '/inputs')
}
