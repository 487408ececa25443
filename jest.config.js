// One Jest project per workspace folder gives clear output.
const folders = ['packages', 'scenarios', 'benchmarks', 'services', 'apps', 'e2e', 'perf', 'scripts']
const project = (folder) => ({
  displayName: folder,
  rootDir: import.meta.dirname,
  roots: [`<rootDir>/${folder}`],
  testMatch: ['**/*.test.ts'],
  testEnvironment: `${import.meta.dirname}/scripts/jest/environment.js`,
  testRunner: `${import.meta.dirname}/scripts/jest/runner.js`,
  transform: {},
})
export default {
  projects: folders.map(project),
  testSequencer: `${import.meta.dirname}/scripts/jest/longest-first.js`,
  reporters: ['default', `${import.meta.dirname}/scripts/jest/progress.js`],
  globalSetup: `${import.meta.dirname}/scripts/jest/setup.ts`,
  // For what hangs, and the only limit of tests; a slow machine has a longer one (runner.js). Waiting has a
  // shorter one and names what was waited for.
  testTimeout: (process.env.STATEEVAL_LONG ? 240 : 20) * 60_000,
  // Two cores are the least; a third file runs while others wait for servers, and a fourth gained nothing.
  maxWorkers: 3,
  // A worker that has grown is made anew, else its collections take seconds.
  workerIdleMemoryLimit: '1GB',
  // A worker with nothing left to do takes more than Jest's half a second to end on a busy machine, and would
  // be killed with words about leaks.
  workerGracefulExitTimeout: 120_000,
}
