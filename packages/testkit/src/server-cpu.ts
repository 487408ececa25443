/** CPU time of the embedded server, which other load on the machine does not change. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './until.ts'

/** The process of the embedded server that listens at the port of an address. */
export async function findServerProcess(uri: string): Promise<number> {
  const { port } = new URL(uri)
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('stateeval-local') && command.includes(`:${port}\0`)) return Number(pid)
  }
  throw new Error(`no process of ours listens at ${port}`)
}

/** CPU time that a process has used, in ticks of 10 ms. */
export async function readCpuTicks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Waits until a process does next to nothing. Resolves with the ticks that it has used by then. */
export async function readTicksWhenIdle(pid: number): Promise<number> {
  let ticks = await readCpuTicks(pid)
  await until(
    async () => {
      const before = ticks
      await sleep(300)
      ticks = await readCpuTicks(pid)
      return ticks - before < 5
    },
    { everyMs: 1 },
  )
  return ticks
}
