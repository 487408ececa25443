/** A whole program in a warm jail, in both languages: values go in, and one number comes out. */
import type { Language } from '@stateeval/contracts'
import { completeLimits, createSandbox, type LocalSandbox } from '@stateeval/sandbox'
import { createTensorWorld } from '../../scenarios/tensor-operation/backend/index.ts'
import type { GraphProvider } from '../../scenarios/tensor-operation/backend/graph/provider.ts'
import { numbers } from './graphs.ts'

const code: Readonly<Record<Language, string>> = {
  javascript:
    "const torch = require('torch'); RESULT = torch.matmul(torch.matmul(a, b).add(c).t(), b).sum().item()",
  python: 'RESULT = torch.matmul(torch.matmul(a, b).add(c).t(), b).sum().item()',
}

interface Timing {
  way: string
  side: number
  ms: number[]
}

/** Milliseconds of each program, world and jail included; nothing of a language that is missing here. */
export async function timePrograms(
  choice: GraphProvider | 'auto',
  available: readonly GraphProvider[],
  sides: readonly number[],
  rounds: number,
): Promise<Timing[]> {
  const world = createTensorWorld({ choice })
  const sandbox: LocalSandbox = await createSandbox({ concurrency: 1 })
  const timings: Timing[] = []
  try {
    for (const side of sides) {
      const value = { $tensor: { dtype: 'float32', shape: [side, side], data: numbers(side) } }
      const inputs = [{ variables: { a: value, b: value, c: value }, world: {} }]
      const timed = async (way: string, language: Language, on = world as Parameters<typeof run>[1]) => {
        const ms: number[] = []
        for (let round = 0; round <= rounds; round++) {
          const start = performance.now()
          await run(language, on)
          if (round > 0) ms.push(performance.now() - start)
        }
        timings.push({ way, side, ms })
      }
      const run = async (language: Language, on: typeof world | ReturnType<typeof world.tensors.on>) => {
        const request = {
          language,
          code: code[language],
          inputs,
          world: on,
          limits: completeLimits({ resultKiB: 10_240 }),
        }
        const [observation] = await sandbox.run(request, new AbortController().signal)
        if (observation!.ending.status !== 'completed') throw new Error(JSON.stringify(observation!.ending))
      }
      for (const provider of available)
        await timed(`JavaScript, ${provider}`, 'javascript', world.tensors.on(provider))
      const lacks = sandbox.unavailable.python ?? sandbox.missing(world).python
      if (lacks === undefined) await timed('Python, PyTorch', 'python')
    }
  } finally {
    await sandbox.close()
    await world.close()
  }
  return timings
}
