import { expect, test } from '@jest/globals'
import { Case, ExecutionInput, Observation, Program } from '@stateeval/contracts'
import { checker } from '@stateeval/service-kit'
import { input, observation, program, testCase } from './factories.ts'

test('what factories make fits its contract', () => {
  expect(checker(Program).fault(program())).toBeNull()
  expect(checker(ExecutionInput).fault(input())).toBeNull()
  expect(checker(Observation).fault(observation())).toBeNull()
  expect(checker(Case).fault(testCase())).toBeNull()
})

test('a program’s id follows from its contents', () => {
  expect(program().id).toBe(program().id)
  expect(program({ scenario: 'other' }).id).not.toBe(program().id)
})
