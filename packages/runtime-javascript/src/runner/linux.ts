/**
 * Linux system calls that Node lacks, through koffi, whose addon is in jails that fork. Memory that the
 * kernel reads or writes is in buffers that do not move.
 */
import { readFileSync } from 'node:fs'
import { markBytes } from '@stateeval/runtime/warm/fork-protocol'
import { type NativeLibrary, openMemory } from './memory.ts'
import { openNetwork } from './network.ts'

interface KoffiLibrary {
  load(path: null): NativeLibrary
  address(memory: Buffer): bigint
}

const [getDescriptorFlags, setFlags, readWrite, notBlocking] = [1, 4, 2, 0o4000]
const [unixSocket, streamSocket, closeOnExec] = [1, 1, 0o2000000]
const pollIn = 1
const pollShut = 0x2000
const [setDumpable, setSeccomp, filterMode] = [4, 22, 2]
const pidfdOpen = 434
/** Stands in a child’s filter where its own process number belongs. */
const selfMark = 0x53454c46
const [socketLevel, keepAlive] = [1, 9]

interface EndedChild {
  code: number | null
  signal: number | null
  cpuMs: number
}

export type LinuxCalls = ReturnType<typeof openLinux>

export function openLinux(addon: string) {
  const loaded = { exports: {} as KoffiLibrary }
  process.dlopen(loaded, addon)
  const koffi = loaded.exports
  const library = koffi.load(null)
  const fork = library.func('int fork()')
  const end = library.func('void _exit(int)')
  const wait4 = library.func('int wait4(int, void *, int, void *)')
  const kill = library.func('int kill(int, int)')
  const getpid = library.func('int getpid()')
  const dup2 = library.func('int dup2(int, int)')
  const eventfd = library.func('int eventfd(uint, int)')
  const dup = library.func('int dup(int)')
  const close = library.func('int close(int)')
  const fcntl = library.func('int fcntl(int, int, int)')
  const read = library.func('long read(int, void *, size_t)')
  const poll = library.func('int poll(void *, size_t, int)')
  const getrandom = library.func('long getrandom(void *, size_t, uint)')
  const syscall = library.func('long syscall(long, long, long)')
  const socketpair = library.func('int socketpair(int, int, int, void *)')
  const write = library.func('long write(int, void *, size_t)')
  const statfs = library.func('int statfs(void *, void *)')
  const setsockopt = library.func('int setsockopt(int, int, int, void *, uint)')
  const setrlimit = library.func('int setrlimit(int, void *)')
  const prctl = library.func('int prctl(int, ulong, void *, ulong, ulong)')
  const memory = openMemory(library)
  const network = openNetwork(library, (memory) => koffi.address(memory))
  const defaultLoop = library.func('void *uv_default_loop()')
  const loopFork = library.func('int uv_loop_fork(void *)')
  const updateTime = library.func('void uv_update_time(void *)')

  const status = Buffer.alloc(4)
  const usage = Buffer.alloc(144)
  const polled = Buffer.alloc(16)
  const pair = Buffer.alloc(8)
  const fileSystem = Buffer.alloc(128)
  const limit = Buffer.alloc(16)
  const off = Buffer.alloc(4)
  const received = Buffer.alloc(4096)
  const loop = defaultLoop()

  const check = (result: number, what: string) => {
    if (result < 0) throw new Error(`${what} failed`)
    return result
  }
  const microseconds = (at: number) =>
    Number(usage.readBigInt64LE(at)) * 1e6 + Number(usage.readBigInt64LE(at + 8))

  return {
    memory,
    network,
    exit: (code: number) => void end(code),
    getpid: () => getpid(),
    kill: (pid: number) => void kill(pid, 9),
    dup: (fd: number) => check(dup(fd), 'dup'),
    close: (fd: number) => void close(fd),
    /** Puts something in the place of these that nobody else has, and that can be written to. */
    cover(descriptors: readonly { fd: number }[]) {
      const own = check(eventfd(0, closeOnExec | notBlocking), 'eventfd')
      for (const { fd } of descriptors) check(dup2(own, fd), 'dup2')
      close(own)
    },
    /** Nobody of the same user may trace this process or its children, or look into them. */
    hide: () => void prctl(setDumpable, 0, null, 0, 0),
    fork: () => check(fork(), 'fork'),
    /** In a child, before anything of its event loop runs. */
    renewLoop() {
      check(loopFork(loop), 'uv_loop_fork')
      updateTime(loop)
    },
    openPid: (pid: number) => check(syscall(pidfdOpen, pid, 0), 'pidfd_open'),
    /** Waits until one of them can be read. */
    waitFor(one: number, other: number): [one: boolean, other: boolean] {
      for (const [at, fd] of [one, other].entries()) {
        polled.writeInt32LE(fd, 8 * at)
        polled.writeInt32LE(pollIn, 8 * at + 4)
      }
      poll(polled, 2, -1)
      return [polled.readInt16LE(6) !== 0, polled.readInt16LE(14) !== 0]
    },
    /** Reads everything that has come; undefined where the other end has gone. */
    read(fd: number): string | undefined {
      const count = read(fd, received, received.length)
      return count > 0 ? received.toString('latin1', 0, count) : undefined
    },
    reap(pid: number): EndedChild {
      wait4(pid, status, 0, usage)
      const word = status.readInt32LE(0)
      const signal = word & 0x7f
      return {
        code: signal === 0 ? (word >> 8) & 0xff : null,
        signal: signal === 0 ? null : signal,
        cpuMs: (microseconds(0) + microseconds(16)) / 1000,
      }
    },
    socketPair(): [number, number] {
      check(socketpair(unixSocket, streamSocket | closeOnExec, 0, pair), 'socketpair')
      return [pair.readInt32LE(0), pair.readInt32LE(4)]
    },
    send(fd: number, bytes: Buffer) {
      check(write(fd, bytes, bytes.length) - bytes.length, 'write')
    },
    /** Draws a number that nobody could know before. */
    random() {
      const bytes = Buffer.alloc(markBytes)
      check(getrandom(bytes, bytes.length, 0) - bytes.length, 'getrandom')
      return bytes
    },
    isOpen: (fd: number) => fcntl(fd, getDescriptorFlags, 0) >= 0,
    /** Tells whether one direction of the connection has been closed. */
    isShut(fd: number) {
      polled.writeInt32LE(fd, 0)
      polled.writeInt32LE(pollShut, 4)
      poll(polled, 1, 0)
      return polled.readInt16LE(6) !== 0
    },
    /** Flags as they were: none. */
    restore: (fd: number) => void fcntl(fd, setFlags, readWrite),
    /** The same, and the one option that programs may set on sockets. */
    restoreSocket(fd: number) {
      fcntl(fd, setFlags, readWrite)
      setsockopt(fd, socketLevel, keepAlive, off, off.length)
    },
    unblock: (fd: number) => void fcntl(fd, setFlags, readWrite | notBlocking),
    /** How many blocks and inodes are free in the file system of a path that ends in a zero byte. */
    free(path: Buffer): [blocks: bigint, inodes: bigint] {
      check(statfs(path, fileSystem), 'statfs')
      return [fileSystem.readBigUInt64LE(24), fileSystem.readBigUInt64LE(48)]
    },
    limit(number: number, soft: number, hard: number) {
      limit.writeBigUInt64LE(BigInt(soft), 0)
      limit.writeBigUInt64LE(BigInt(hard), 8)
      setrlimit(number, limit)
    },
    /** A filter of system calls, read now and installed later. */
    filter(path: string) {
      const words = Buffer.from(readFileSync(path))
      const marks = Array.from({ length: words.length / 8 }, (_, n) => 8 * n + 4).filter(
        (at) => words.readUInt32LE(at) === selfMark,
      )
      const program = Buffer.alloc(16)
      program.writeUInt16LE(words.length / 8, 0)
      program.writeBigUInt64LE(koffi.address(words), 8)
      return {
        words,
        install(pid = 0) {
          for (const at of marks) words.writeUInt32LE(pid, at)
          check(prctl(setSeccomp, filterMode, program, 0, 0), 'seccomp')
        },
      }
    },
  }
}
