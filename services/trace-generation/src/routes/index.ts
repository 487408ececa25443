/** One file per operation; the compiler checks the list against the contract. */
import type { traceGenerationOperations } from '@stateeval/contracts'
import type { OperationHandlers } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { TraceContext } from '../context.ts'
import { cancelGeneration } from './cancel-generation.ts'
import { createGeneration } from './create-generation.ts'
import { emitPrograms } from './emit-programs.ts'
import { getGeneration } from './get-generation.ts'
import { getGenerationArtifact } from './get-generation-artifact.ts'
import { getGenerationCoverage } from './get-generation-coverage.ts'
import { getScenario } from './get-scenario.ts'
import { getScenarioDocumentation } from './get-scenario-documentation.ts'
import { listGenerationPrograms } from './list-generation-programs.ts'
import { listScenarios } from './list-scenarios.ts'
import { measurePrograms } from './measure-programs.ts'

export const handlers: OperationHandlers<typeof traceGenerationOperations, TraceContext, typeof works> = {
  listScenarios,
  getScenario,
  getScenarioDocumentation,
  createGeneration,
  getGeneration,
  listGenerationPrograms,
  getGenerationCoverage,
  getGenerationArtifact,
  cancelGeneration,
  emitPrograms,
  measurePrograms,
}
