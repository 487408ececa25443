import { mergeConfirmations, type CleanConfirmation } from '@stateeval/runtime'
import { attributeRuns } from '../attribution.ts'
import { runsKnownProgram } from '../canary.ts'
import { gathered, type Sandbox } from '../sandbox.ts'

/**
 * Runs inputs once more where they failed: a world that failed temporarily, or a jail that did not start.
 * What fails again although a known program succeeds is the program's own failure.
 */
export function retryFailures<S extends Sandbox>(sandbox: S): S {
  const each: Sandbox['each'] = async (program, signal, take) => {
    const confirmations: CleanConfirmation[] = []
    await attributeRuns(
      {
        inputs: program.inputs.length,
        async run(indices, takeOne) {
          const inputs = indices.map((index) => program.inputs[index]!)
          confirmations.push(
            await sandbox.each({ ...program, inputs }, signal, (observation, at) =>
              takeOne(observation, indices[at]!),
            ),
          )
        },
        isSound: () => runsKnownProgram(sandbox, program, signal),
      },
      take,
    )
    return mergeConfirmations(confirmations)
  }
  return { ...sandbox, each, run: gathered(each) }
}
