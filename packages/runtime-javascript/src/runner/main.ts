/**
 * The process inside the jail. It opens the port that candidates call, passes the listening socket to the
 * host, takes one job, runs it, and reports how it ended. Candidate code shares this process, so nothing
 * here is secret and none of its output is trusted without a check.
 */
import { createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { frameFd, handoverFd, type InputJob } from '@stateeval/runtime/protocol'
import type { ForkedJob, RunnerSetup } from '@stateeval/runtime'
import { fork } from './forks.ts'
import { forwardPort } from './forward.ts'
import { readFrame } from './job.ts'
import { type LinuxCalls, openLinux } from './linux.ts'
import { startRehearsal } from './rehearse.ts'
import { loadSurface, run, prepareStage } from './run.ts'

/** RLIMIT_CPU and RLIMIT_NPROC. */
const [cpuLimit, taskLimit] = [0, 6]

/**
 * Starts the process in the jail. The first argument is the port; `none` for a world without HTTP;
 * `PORT:PATH` if connections are forwarded to a unix socket, and then `given:PORT` for the runner.
 */
export function main() {
  const [port = 'none', rest] = (process.argv[2] ?? 'none').split(':')
  if (rest?.startsWith('/')) return forwardPort(Number(port), rest)
  const [, , , addon, filters] = process.argv
  if (addon !== undefined)
    return void startForking(port === 'none' ? undefined : Number(port), addon, filters!)
  // The host disconnects once it holds the listening socket: from then on, code that isn’t ours may run.
  process.once('disconnect', () => {
    forgetChannel()
    prepareStage()
    void run(readFrame() as InputJob)
  })
  if (rest !== undefined) callFirst()
  if (port === 'none' || rest !== undefined) return void process.send!({ port: Number(rest ?? 0) })
  const server = createServer()
  server.listen({ port: Number(port), host: '127.0.0.1', backlog: 511 }, () => {
    const { port: openPort } = server.address() as { port: number }
    // The socket stays open in the host, in this network namespace: connections are accepted there, not here.
    process.send!({ port: openPort }, server, () => server.close())
  })
}

/** Until nothing is left to do of what was loaded, in milliseconds. */
const settleMs = 20

/** The same, with a child of this process for each program. */
async function startForking(port: number | undefined, addon: string, filters: string) {
  const linux = openLinux(addon)
  const enlargeHeap = linux.memory.keepTogether()
  const { surface } = readFrame() as RunnerSetup
  prepareStage(linux.exit)
  const { settle, collectYoung } = await startRehearsal(linux)
  if (surface) loadSurface(surface)
  const begin = () => {
    const channel = linux.dup(handoverFd)
    process.once('disconnect', () =>
      setImmediate(() => {
        forgetChannel()
        // The arguments look as in a process that runs one program.
        process.argv.splice(3)
        process.argv[1] = '/runner/boot.cjs'
        callFirst()
        // Work that remains after this is done here, not in every child.
        const beginForks = () =>
          setTimeout(() => {
            linux.memory.enlargeCode()
            enlargeHeap()
            runForked(linux, fork({ linux, channel, port, filters, collectYoung }), surface !== null)
          }, settleMs)
        void settle().then(beginForks)
      }),
    )
    process.disconnect()
  }
  process.send!({ port: port ?? 0 }, begin)
}

/** In a child. */
function runForked(linux: LinuxCalls, mark: Buffer, hasCalls: boolean) {
  const job = readFrame(mark) as ForkedJob
  // Calls and their replies go over it.
  if (hasCalls) linux.unblock(frameFd)
  linux.limit(cpuLimit, job.cpuSeconds + 1, job.cpuSeconds + 2)
  if (job.tasks !== null) linux.limit(taskLimit, job.tasks, job.tasks)
  // Else every child would draw the same.
  setFlagsFromString(`--random-seed=${job.randomSeed}`)
  void run(job)
}

function forgetChannel() {
  for (const name of ['send', 'disconnect', 'channel', 'connected'] as const)
    delete (process as Partial<NodeJS.Process>)[name]
}

/** Gives the process the ids of a first process, because Node prints them. */
function callFirst() {
  for (const [name, value] of Object.entries({ pid: 1, ppid: 0 }))
    Object.defineProperty(process, name, { value })
}
