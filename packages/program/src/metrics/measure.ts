/** The static metrics of one program and of a set (StateEval, Table I). */
import type { Language, Program } from '@stateeval/contracts'
import { emit } from '../emit/index.ts'
import { isCall } from '../expr.ts'
import { countBindings, measurePathDepth } from './dataflow.ts'
import { listWrittenSteps } from '../blocks.ts'
import { measureReleased } from './released.ts'
import { countTokens } from './tokens.ts'

export interface ProgramMetrics {
  /** cl100k_base tokens of the reference code, without the initialisation block. */
  codeTokens: number
  /** Call sites of documented APIs, in all branches. */
  functionCalls: number
  /** The longest producer-to-consumer chain among calls, in edges. */
  pathDepth: number
  /** Distinct pairs of a call's output and a call that uses it. */
  bindingCount: number
  /** cl100k_base tokens of the instruction without the API documentation, where there is one. */
  instructionTokens?: number
  /** The same by the definitions of the analyser that the paper's authors released, on the code in Python. */
  releasedCodeTokens: number
  releasedFunctionCalls: number
  releasedPathDepth: number
  releasedBindingCount: number
}

/** Raised with the fields of the metrics: cases and manifests hold them, and so does a set's digest. */
export const metricsVersion = '1'

/** Measures a program, with its instruction if there is one. */
export async function measure(
  program: Program,
  { language = 'javascript', instruction }: { language?: Language; instruction?: string } = {},
): Promise<ProgramMetrics> {
  const pythonCode = emit(program, 'python') ?? ''
  const released = measureReleased(pythonCode)
  return {
    codeTokens: await countTokens(emit(program, language) ?? ''),
    functionCalls: listWrittenSteps(program).filter(isCall).length,
    pathDepth: measurePathDepth(program),
    bindingCount: countBindings(program),
    ...(instruction === undefined ? {} : { instructionTokens: await countTokens(instruction) }),
    releasedCodeTokens: await countTokens(pythonCode),
    releasedFunctionCalls: released.functionCalls,
    releasedPathDepth: released.pathDepth,
    releasedBindingCount: released.bindingCount,
  }
}
