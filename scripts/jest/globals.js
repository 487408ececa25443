/** Replaces @jest/globals, which works only in Jest's own contexts, for test files that run as modules. */
import { ModuleMocker } from 'jest-mock'

export { expect } from 'expect'
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus'

const mocker = new ModuleMocker(globalThis)
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
}
