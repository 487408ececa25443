/** The explicit list of mutation operators. */
import type { MutationOperator } from '../operator.ts'
import { changedLiteral } from './changed-literal.ts'
import { constantOutput } from './constant-output.ts'
import { droppedArgument } from './dropped-argument.ts'
import { droppedCall } from './dropped-call.ts'
import { droppedEdit } from './dropped-edit.ts'
import { duplicatedCall } from './duplicated-call.ts'
import { ignoredCondition } from './ignored-condition.ts'
import { negatedCondition } from './negated-condition.ts'
import { plainList } from './plain-list.ts'
import { staleCopy } from './stale-copy.ts'
import { swappedArguments } from './swapped-arguments.ts'
import { swappedCalls } from './swapped-calls.ts'
import { swappedEffects } from './swapped-effects.ts'
import { swappedElements } from './swapped-elements.ts'
import { wrongCondition } from './wrong-condition.ts'
import { wrongElement } from './wrong-element.ts'
import { wrongEndpoint } from './wrong-endpoint.ts'
import { wrongField } from './wrong-field.ts'
import { wrongFunction } from './wrong-function.ts'
import { wrongId } from './wrong-id.ts'
import { wrongMatch } from './wrong-match.ts'
import { wrongOperand } from './wrong-operand.ts'
import { wrongResult } from './wrong-result.ts'
import { wrongTarget } from './wrong-target.ts'
import { wrongVariable } from './wrong-variable.ts'

export const mutationOperators: readonly MutationOperator[] = [
  droppedCall,
  constantOutput,
  duplicatedCall,
  swappedCalls,
  swappedEffects,
  wrongEndpoint,
  plainList,
  wrongFunction,
  droppedArgument,
  swappedArguments,
  swappedElements,
  wrongId,
  wrongElement,
  wrongMatch,
  staleCopy,
  wrongVariable,
  wrongOperand,
  wrongField,
  changedLiteral,
  droppedEdit,
  wrongTarget,
  negatedCondition,
  ignoredCondition,
  wrongCondition,
  wrongResult,
]

/**
 * Mistakes in one thing that an instruction names: a call, an argument, a constant, an index, a field, the
 * condition. Each of them must be detected; other operators may produce equivalent programs. The mistakes
 * that a program most likely hides come first.
 */
export const tellingOperators: readonly MutationOperator[] = [
  plainList,
  wrongMatch,
  swappedElements,
  droppedArgument,
  wrongOperand,
  changedLiteral,
  wrongField,
  negatedCondition,
  ignoredCondition,
  wrongCondition,
  droppedCall,
  droppedEdit,
  constantOutput,
]
