/** One program in the sandbox. */
import { type ExecutionRequest, type ExecutionResult, type Input, ProblemError } from '@stateeval/contracts'
import { artifactsIn, resolveTensors } from '@stateeval/program'
import { completeLimits } from '@stateeval/sandbox'
import type { Context } from './context.ts'

/** Throws a problem where an input names an artifact that is not stored here, or that is no such tensor. */
export async function execute(
  request: ExecutionRequest,
  { sandbox, world, shelf }: Pick<Context, 'sandbox' | 'world' | 'shelf'>,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const { language, code, limits, sandbox: level } = request
  const observations = await sandbox.run(
    {
      language,
      code,
      inputs: await withTensors(request.inputs, shelf),
      world: world(request.world, '/world'),
      limits: completeLimits(limits),
      ...(level !== undefined && { level }),
    },
    signal,
  )
  return { observations, runtime: sandbox.fingerprint }
}

export const unusable = (says: string) =>
  new ProblemError('unprocessable', `${says}; import the benchmark that names it again, or send the values as data`, '/inputs')

/** The inputs with the values of tensors that are kept as artifacts. */
async function withTensors(inputs: Input[], shelf: Context['shelf']): Promise<Input[]> {
  const hashes = artifactsIn(inputs)
  if (hashes.length === 0) return inputs
  const files = await shelf.load(hashes)
  const resolved = resolveTensors(inputs, (hash) => files.get(hash))
  if (resolved.ok) return resolved.value
  throw unusable(resolved.says)
}
