/** From a draft to a program that is kept: the values of its initial tensors are made, and stand in artifacts. */
import type { Program, Variable } from '@stateeval/contracts'
import { type Artifacts, toArtifact } from '@stateeval/program'
import { asTensor, scaledSeed } from './state.ts'
import { drawTensor } from './values.ts'

export function settle(draft: Program): { program: Program; artifacts: Artifacts } {
  const artifacts: Artifacts = {}
  const settledVariable = (variable: Variable): Variable => {
    const tensor = asTensor(variable.values[0])
    if (tensor?.seed === undefined) return variable
    const { value, sha256, file } = toArtifact(
      drawTensor(tensor.seed, tensor.shape, tensor.seed.startsWith(scaledSeed)),
    )
    artifacts[sha256] = file
    return { ...variable, values: [value] }
  }
  return { program: { ...draft, variables: draft.variables.map(settledVariable) }, artifacts }
}
