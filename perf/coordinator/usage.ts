/** What processes use, read from /proc: processor time and the most memory they held. */
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

interface Stat {
  pid: number
  parent: number
  name: string
  ownSeconds: number
  /** Of its own, and of children that it has waited for. */
  cpuSeconds: number
}

function statOf(pid: number): Stat | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  const at = text.lastIndexOf(') ')
  const fields = text.slice(at + 2).split(' ')
  const seconds = (...of: number[]) =>
    of.reduce((sum, field) => sum + Number(fields[field]), 0) / ticksPerSecond
  const name = text.slice(text.indexOf('(') + 1, at)
  return {
    pid,
    parent: Number(fields[1]),
    name,
    ownSeconds: seconds(11, 12),
    cpuSeconds: seconds(11, 12, 13, 14),
  }
}

const running = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])

/** Processor seconds of a process and of all that it started, as far as they live or were waited for. */
export function cpuSecondsOf(pid: number): number {
  const all = running()
  const sum = (one: Stat): number =>
    all
      .filter(({ parent }) => parent === one.pid)
      .reduce((total, child) => total + sum(child), one.cpuSeconds)
  const root = all.find((one) => one.pid === pid)
  return root ? sum(root) : 0
}

/** Processor seconds of a process alone, without what it started. */
export const ownCpuSecondsOf = (pid: number) => statOf(pid)?.ownSeconds ?? 0

/** The most memory that a process held at a time, in MiB. */
export const peakMiBOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Children of this process with such a name. */
export const childrenNamed = (names: readonly string[]) =>
  running().filter(({ parent, name }) => parent === process.pid && names.some((one) => one.startsWith(name)))
