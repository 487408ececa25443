/** The explicit list of mutation operators. */
import type { MutationOperator } from '../operator.ts'
import { changedLiteral } from './changed-literal.ts'
import { droppedArgument } from './dropped-argument.ts'
import { droppedCall } from './dropped-call.ts'
import { droppedEdit } from './dropped-edit.ts'
import { duplicatedCall } from './duplicated-call.ts'
import { ignoredCondition } from './ignored-condition.ts'
import { negatedCondition } from './negated-condition.ts'
import { swappedArguments } from './swapped-arguments.ts'
import { swappedCalls } from './swapped-calls.ts'
import { swappedElements } from './swapped-elements.ts'
import { wrongCondition } from './wrong-condition.ts'
import { wrongElement } from './wrong-element.ts'
import { wrongEndpoint } from './wrong-endpoint.ts'
import { wrongField } from './wrong-field.ts'
import { wrongFunction } from './wrong-function.ts'
import { wrongId } from './wrong-id.ts'
import { wrongResult } from './wrong-result.ts'
import { wrongTarget } from './wrong-target.ts'
import { wrongVariable } from './wrong-variable.ts'

export const mutationOperators: readonly MutationOperator[] = [
  droppedCall,
  duplicatedCall,
  swappedCalls,
  wrongEndpoint,
  wrongFunction,
  droppedArgument,
  swappedArguments,
  swappedElements,
  wrongId,
  wrongElement,
  wrongVariable,
  wrongField,
  changedLiteral,
  droppedEdit,
  wrongTarget,
  negatedCondition,
  ignoredCondition,
  wrongCondition,
  wrongResult,
]
