import { expect, test } from '@jest/globals'
import type { ExecutionRequest } from '@stateeval/contracts'
import { checkRequest } from '../src/check-request.ts'
import type { Context } from '../src/context.ts'

const request: ExecutionRequest = { language: 'python', code: 'RESULT = 1', world: 'w', inputs: [{ variables: {}, world: {} }] }
const context = (languages: string[], missing: Record<string, string> = {}) =>
  ({ sandbox: { languages, unavailable: { python: 'install requests' }, missing: () => missing }, world: () => ({}) }) as unknown as Context

test('a language that can’t be had here is refused, with what to do', () => {
  expect(() => checkRequest(request, context(['javascript', 'python']))).not.toThrow()
  expect(() => checkRequest(request, context(['javascript', 'python'], { python: 'install torch' }))).toThrow(
    'the world w can’t be had in python here: install torch',
  )
  expect(() => checkRequest(request, context(['javascript']))).toThrow('no runtime for python here, only for javascript: install requests')
})
