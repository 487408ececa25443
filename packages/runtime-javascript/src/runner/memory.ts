/**
 * The memory layout of the process that forks. A fork copies every page table, and the end of a child visits
 * every page. Contiguous memory in pages of 2 MiB makes both cheaper. A kernel without these features leaves
 * the layout as it is.
 */
import { closeSync, openSync, readSync } from 'node:fs'

export interface NativeLibrary {
  func(signature: string): (...args: unknown[]) => number
}
/** koffi returns a large address as a bigint. */
type ToAddress = (...args: unknown[]) => number | bigint

const [readable, writable, executable] = [1, 2, 4]
const [privateAnonymous, noReserve, fixedNoReplace] = [0x22, 0x4000, 0x10_0000]
const [doFork, hugePage, collapse] = [11, 14, 25]
const mapFailed = 0xffff_ffff_ffff_ffffn
const [kib, mib, gib] = [1n << 10n, 1n << 20n, 1n << 30n]
const huge = 2n * mib
const roundUp = (address: bigint) => ((address + huge - 1n) / huge) * huge
/** The whole address space of a process. */
const [lowest, highest] = [0x1_0000n, process.arch === 'arm64' ? 0xffff_ffff_0000n : 0x7fff_ffff_0000n]
/** V8 asks for each of its chunks at a random address below this one. */
const endOfHints = 1n << 46n
/** Ranges of this size are not divided any further. */
const minRange = 8n * gib
/** The size of V8’s chunks. */
const chunk = 256n * kib
/** The heap of `malloc` is smaller. */
const maxHeap = 64n * mib

export function openMemory(library: NativeLibrary) {
  const advise = library.func('int madvise(uintptr_t, size_t, int)')
  const mmap = library.func('uintptr_t mmap(uintptr_t, size_t, int, int, int, long)') as unknown as ToAddress
  const munmap = library.func('int munmap(uintptr_t, size_t)')
  const memcpy = library.func('void *memcpy(uintptr_t, uintptr_t, size_t)')
  const mprotect = library.func('int mprotect(uintptr_t, size_t, int)')
  const mremap = library.func(
    'uintptr_t mremap(uintptr_t, size_t, size_t, int, uintptr_t)',
  ) as unknown as ToAddress
  const sbrk = library.func('uintptr_t sbrk(intptr_t)') as unknown as ToAddress

  /** Reserves the free parts of a range. */
  function reserve(from: bigint, size: bigint, reserved: [from: bigint, size: bigint][]) {
    const at = BigInt(mmap(from, size, 0, privateAnonymous | noReserve | fixedNoReplace, -1, 0))
    if (at === from) reserved.push([from, size])
    else {
      if (at !== mapFailed) munmap(at, size) // an old kernel treats the address as a hint
      if (size <= minRange) return
      reserve(from, size / 2n, reserved)
      reserve(from + size / 2n, size / 2n, reserved)
    }
  }
  const enlarge = (from: bigint, to: bigint) => {
    for (let at = roundUp(from); at + huge <= to; at += huge) advise(at, huge, collapse)
  }
  /**
   * Finds where the kernel maps the next chunk: directly below the previous one, unless that range is in use.
   */
  function nextChunk(): bigint {
    const at = BigInt(mmap(0n, chunk, 0, privateAnonymous | noReserve, -1, 0))
    munmap(at, chunk)
    return at
  }

  return {
    /** Children inherit V8’s memory, which V8 maps as not to be inherited. */
    share: () => void advise(lowest, highest - lowest, doFork),
    /**
     * Makes V8’s later chunks contiguous: all addresses that V8 asks for are reserved, so the kernel maps the
     * chunks next to each other, below a boundary of 2 MiB. Returns a function that releases these addresses
     * and moves the chunks and the heap of `malloc` into pages of 2 MiB.
     */
    keepTogether(): () => void {
      const reserved: [bigint, bigint][] = []
      reserve(0n, endOfHints, reserved)
      const end = nextChunk() + chunk
      const rest = end % huge
      const top = end - rest
      if (rest > 0n) mmap(top, rest, 0, privateAnonymous | noReserve | fixedNoReplace, -1, 0)
      return () => {
        for (const [from, size] of reserved) munmap(from, size)
        // An incomplete page is filled up if at least half of it is in use.
        const begin = nextChunk() + chunk
        const missing = begin % huge
        if (missing <= huge / 2n)
          mmap(begin - missing, missing, readable | writable, privateAnonymous | fixedNoReplace, -1, 0)
        enlarge(begin - missing, top)
        const heapEnd = BigInt(sbrk(0))
        const lacking = roundUp(heapEnd) - heapEnd
        if (lacking <= huge / 2n) sbrk(lacking)
        enlarge(heapEnd - maxHeap, roundUp(heapEnd))
      }
    },
    /** Copies Node’s code into pages of 2 MiB. */
    enlargeCode() {
      const elf = Buffer.alloc(4096)
      const file = openSync(process.execPath, 'r')
      readSync(file, elf, 0, elf.length, 0)
      closeSync(file)
      if (elf.readUInt16LE(16) !== 2) return // not at a fixed address
      const [at, size, count] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)]
      for (let n = 0; n < count; n++) {
        const header = elf.subarray(at + n * size)
        if (header.readUInt32LE(0) !== 1 || (header.readUInt32LE(4) & 1) === 0) continue
        const begin = header.readBigUInt64LE(16)
        const end = begin + header.readBigUInt64LE(40)
        const [first, last] = [roundUp(begin), (end / huge) * huge]
        if (last <= first) continue
        const length = last - first
        const area = BigInt(mmap(0n, length + huge, readable | writable, privateAnonymous, -1, 0))
        if (area === mapFailed) continue
        const place = roundUp(area)
        advise(place, length, hugePage)
        memcpy(place, first, length)
        // Some systems do not allow written memory to be executed.
        if (mprotect(place, length, readable | executable) === 0) mremap(place, length, length, 3, first)
      }
    },
  }
}
