import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonValue, Language, ExecutionLimits } from '@stateeval/contracts'
import {
  completeLimits,
  createSandbox,
  type IsolationLevel,
  levels,
  type LocalSandbox,
} from '@stateeval/sandbox'
import { findMissingContainers } from '@stateeval/jail'
import { both, completed, forged, javascriptOnly } from './cases.ts'
import { createCallsWorld } from './fake-calls.ts'

const never = new AbortController().signal
const languages: readonly Language[] = ['javascript', 'python']
const long = process.env['STATEEVAL_LONG'] === '1'
/**
 * A Python in a jail of its own takes a second to start: of its programs one in five, unless there is time.
 */
const some = <T>(all: readonly T[], level: IsolationLevel, language: Language): T[] =>
  all.filter(
    (_, at) =>
      long || level === 'warm-jail' || at % (level === 'gvisor' ? 8 : language === 'python' ? 5 : 3) === 0,
  )

const here = levels.filter((level) => level !== 'gvisor' || findMissingContainers() === undefined)

describe.each(here)('calls at the level %s', (level: IsolationLevel) => {
  let sandbox: LocalSandbox
  const world = createCallsWorld()
  beforeAll(async () => {
    sandbox = await createSandbox({ level, concurrency: 2 })
  })
  afterAll(async () => {
    expect(world.opened()).toBe(0)
    await sandbox.close()
  })
  const variables: Record<string, JsonValue> = { user_variable_0: { n: 1 }, boxed: { $boxed: 7 } }
  const observe = async (language: Language, code: string, limits: Partial<ExecutionLimits> = {}) =>
    (
      await sandbox.run(
        { language, code, inputs: [{ variables, world: {} }], world, limits: completeLimits(limits) },
        never,
      )
    )[0]!
  // Without a jail there is a port 8080 for whoever opened one.
  const cases = both.filter(([name]) => level !== 'unsafe-process' || name !== 'no sockets')

  describe.each(languages)('%s', (language) => {
    test.each(some(cases, level, language))('%s', async (_, code, ending, limits = {}) =>
      expect((await observe(language, code[language], limits)).ending).toEqual(ending),
    )
    test.each(some(forged, level, language))('forged: %s', async (_, javascript, python, ending) => {
      const code =
        language === 'python'
          ? `import os, time\n${python}\n${python.includes('RESULT') ? '' : 'time.sleep(30)'}`
          : `${javascript}\nsetTimeout(() => {}, 30000 * ${javascript.includes('RESULT') ? 0 : 1})`
      expect((await observe(language, code)).ending).toEqual(ending)
      expect(
        (await observe(language, language === 'python' ? 'RESULT = echo(3)' : 'RESULT = await echo(3)'))
          .ending,
      ).toEqual(completed(3))
    })
    test('calls are in the log where the world wants it', async () => {
      const { log, sandbox: at } = await observe(
        language,
        language === 'python' ? 'RESULT = [echo(1), echo(2)]' : 'RESULT = [await echo(1), await echo(2)]',
      )
      expect(log).toEqual([1, 2].map(() => ({ method: 'CALL', path: 'echo', status: 200 })))
      expect(at).toBe(level)
    })
  })
  test.each(some(javascriptOnly, level, 'javascript'))(
    'javascript: %s',
    async (_, code, ending, limits = {}) =>
      expect((await observe('javascript', code, limits)).ending).toEqual(ending),
  )
  ;(level === 'warm-jail' ? test : test.skip)('javascript: many large replies', async () => {
    const code = `let n = 0; for (let turn = 0; turn < 3; turn++) n += (await call('long', 9e5)).length + callSync('long', 9e5).length; RESULT = n`
    const { ending, sandbox: at } = await observe('javascript', code)
    expect([ending, at]).toEqual([completed(5_400_000), 'warm-jail'])
  })
  test('python: threads take turns', async () => {
    const code = `from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as pool:\n    RESULT = list(pool.map(echo, range(20)))`
    expect((await observe('python', code)).ending).toEqual(completed(Array.from({ length: 20 }, (_, i) => i)))
  })
})
