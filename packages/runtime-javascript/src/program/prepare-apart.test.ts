import { expect, test } from '@jest/globals'
import { completeLimits } from '../../../runtime/src/limits.ts'
import { maxAtOnce, prepareWithin } from './prepare-apart.ts'
import { prepare } from './prepare.ts'

const declarations = (characters: number) => {
  let code = ''
  for (let n = 0; code.length < characters; n++) code += `let a${n};\n`
  return code
}

test('long code is prepared as short code is, beside what else goes on', async () => {
  const code = declarations(2 * maxAtOnce)
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  const pending = prepareWithin(code, ['BASE_URL'], completeLimits())
  expect(pending).toBeInstanceOf(Promise)
  expect(await pending).toEqual(prepare(code, ['BASE_URL']))
  clearInterval(turning)
  expect(turns).toBeGreaterThan(1)
  expect(prepareWithin('RESULT = 1', [], completeLimits())).toEqual(prepare('RESULT = 1', []))
})

test('syntax errors of long code keep their line', async () => {
  const code = `${'\n'.repeat(maxAtOnce)}let = ;`
  expect(await prepareWithin(code, [], completeLimits())).toMatchObject({
    status: 'refused',
    reason: 'syntax',
    error: { line: maxAtOnce + 1 },
  })
})

test('what takes the parser longer than the code may run has used its time up', async () => {
  const outcome = await prepareWithin(declarations(900_000), [], completeLimits({ cpuSeconds: 0.1 }))
  expect(outcome).toEqual({ status: 'exceeded', ending: { status: 'timeout', limit: 'cpu', afterMs: 100 } })
})
