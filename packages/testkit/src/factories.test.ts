import { expect, test } from '@jest/globals'
import { Case, ExecutionInput, Observation, Program } from '@stateeval/contracts'
import { createChecker } from '@stateeval/service-kit'
import { input, observation, program, testCase } from './factories.ts'

test('what factories make fits its contract', () => {
  expect(createChecker(Program).fault(program())).toBeNull()
  expect(createChecker(ExecutionInput).fault(input())).toBeNull()
  expect(createChecker(Observation).fault(observation())).toBeNull()
  expect(createChecker(Case).fault(testCase())).toBeNull()
})

test('a program’s id follows from its contents', () => {
  expect(program().id).toBe(program().id)
  expect(program({ scenario: 'other' }).id).not.toBe(program().id)
})
