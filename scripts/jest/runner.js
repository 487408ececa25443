/**
 * Jest's runner of a test file. It imports the file as Node imports any module, so a worker loads, compiles
 * and optimises each module once for all files that it runs. Jest's default loads everything again for each
 * file, in a separate context, which took about 40 % of a run's CPU time. The price: files that run in one
 * worker share the state of modules. environment.js restores the state of the process.
 */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { createEmptyTestResult } from '@jest/test-result'
import { addEventHandler, getState, removeEventHandler, resetState, run } from 'jest-circus'
import { formatExecError, formatResultsErrors } from 'jest-message-util'
import { endChildrenWithThis } from '@stateeval/testkit/end-with-owner'
import { patience } from '@stateeval/testkit/patience'
import { measureUsage } from '../../packages/jail/src/process-tree.ts'

// Here too: a worker may end before the others.
endChildrenWithThis()

/** How jest-worker tells a worker that nothing is left to do. */
const endMessage = 2
// A handle that a test has left open would keep the worker for as long as Jest waits for it.
process.on('message', (message) => {
  if (message[0] === endMessage) setTimeout(() => process.exit(), 1000).unref()
})

const globals = new URL('globals.js', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
})

export default async function runFile(globalConfig, config, environment, runtime, path) {
  if (globalConfig.watch || globalConfig.watchAll)
    throw new Error(
      'Jest cannot watch here, because a process loads each module once. Use node --watch node_modules/jest/bin/jest.js -i FILE',
    )
  resetState()
  const state = getState()
  state.testTimeout = patience(globalConfig.testTimeout)
  state.maxConcurrency = globalConfig.maxConcurrency
  state.randomize = globalConfig.randomize
  state.seed = globalConfig.seed
  if (globalConfig.testNamePattern) state.testNamePattern = new RegExp(globalConfig.testNamePattern, 'i')
  const restore = catchErrors(state)
  addEventHandler(awaitRejections)
  const before = measureUsage(process.pid).cpuMs
  try {
    await nextTurn(() => import(pathToFileURL(path).href))
    const result = resultOf(await nextTurn(run), globalConfig, config, path)
    return { ...result, cpuMs: measureUsage(process.pid).cpuMs - before }
  } finally {
    removeEventHandler(awaitRejections)
    restore()
    resetState()
  }
}

/** Calls in a later turn of the event loop. Stacks end there, so reports show the test's lines, not these. */
const nextTurn = (call) =>
  new Promise((resolve, reject) =>
    setImmediate(() =>
      call().then(
        (value) => resolve(value),
        (error) => reject(error),
      ),
    ),
  )

/** Node reports unhandled rejections after microtasks, so a test or hook waits for that before it ends. */
async function awaitRejections({ name }) {
  if (/^(test_fn|hook)_(success|failure)$/.test(name)) await new Promise(setImmediate)
}

/** Uncaught errors fail the running test, or the file if no test runs. Returns what ends this. */
function catchErrors(state) {
  const byPromise = new Map()
  const errorsNow = () => state.currentlyRunningTest?.errors ?? state.unhandledErrors
  const listeners = {
    uncaughtException: (error) => void errorsNow().push(error),
    unhandledRejection: (error, promise) => {
      const errors = errorsNow()
      byPromise.set(promise, { errors, error })
      errors.push(error)
    },
    rejectionHandled: (promise) => {
      const { errors, error } = byPromise.get(promise) ?? {}
      errors?.splice(errors.indexOf(error), 1)
    },
  }
  const before = Object.keys(listeners).map((name) => [name, process.rawListeners(name)])
  for (const [name, listener] of Object.entries(listeners))
    process.removeAllListeners(name).on(name, listener)
  return () => {
    for (const [name, earlier] of before) {
      process.removeAllListeners(name)
      for (const listener of earlier) process.on(name, listener)
    }
  }
}

/** What Jest's reporters read. */
function resultOf({ testResults, unhandledErrors, unhandledErrorsDetailed }, globalConfig, config, path) {
  const assertions = testResults.map(assertionOf)
  const count = (status) => assertions.filter((assertion) => assertion.status === status).length
  const messages = [
    formatResultsErrors(assertions, config, globalConfig, path),
    ...unhandledErrorsDetailed.map((error) => formatExecError(error, config, globalConfig)),
  ].filter(Boolean)
  return {
    ...createEmptyTestResult(),
    displayName: config.displayName,
    failureMessage: messages.join('\n\n') || null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    testExecError: unhandledErrors.length ? { message: '', stack: unhandledErrors.join('\n') } : undefined,
    testFilePath: path,
    testResults: assertions,
  }
}

function assertionOf(test) {
  // The first name is that of the file's root.
  const names = test.testPath.slice(1)
  const ended = test.errors.length ? 'failed' : 'passed'
  return {
    ancestorTitles: names.slice(0, -1),
    duration: test.duration,
    failing: test.failing,
    failureDetails: test.errorsDetailed,
    failureMessages: test.errors,
    fullName: names.join(' '),
    invocations: test.invocations,
    location: test.location,
    numPassingAsserts: test.numPassingAsserts,
    retryReasons: test.retryReasons,
    startAt: test.startedAt,
    status: { skip: 'pending', todo: 'todo', done: ended }[test.status],
    title: names.at(-1),
  }
}
