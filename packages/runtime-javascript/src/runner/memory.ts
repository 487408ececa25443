/**
 * Where the memory of a process that forks lies. A fork copies each page table, and its end looks at each
 * page, so memory that lies together in pages of 2 MiB makes both cheap. Where the kernel lacks something,
 * nothing breaks.
 */
import { closeSync, openSync, readSync } from 'node:fs'

export interface Library {
  func(signature: string): (...args: unknown[]) => number
}
/** koffi gives a large address as a bigint. */
type ToAddress = (...args: unknown[]) => number | bigint

const [readable, writable, executable] = [1, 2, 4]
const [ours, noReserve, notOver] = [0x22, 0x4000, 0x10_0000]
const [doFork, hugePage, collapse] = [11, 14, 25]
const mapFailed = 0xffff_ffff_ffff_ffffn
const [kib, mib, gib] = [1n << 10n, 1n << 20n, 1n << 30n]
const huge = 2n * mib
const up = (address: bigint) => ((address + huge - 1n) / huge) * huge
/** The whole of a process’s memory. */
const [lowest, highest] = [0x1_0000n, process.arch === 'arm64' ? 0xffff_ffff_0000n : 0x7fff_ffff_0000n]
/** V8 wants its memory at random places below this. */
const endOfPlaces = 1n << 46n
/** A part of these places that has something in it is left alone if it is no larger. */
const smallestPart = 8n * gib
/** The size of V8’s parts of memory. */
const part = 256n * kib
/** The heap of `malloc` is smaller. */
const heapSize = 64n * mib

export function openMemory(library: Library) {
  const advise = library.func('int madvise(uintptr_t, size_t, int)')
  const mmap = library.func('uintptr_t mmap(uintptr_t, size_t, int, int, int, long)') as unknown as ToAddress
  const munmap = library.func('int munmap(uintptr_t, size_t)')
  const memcpy = library.func('void *memcpy(uintptr_t, uintptr_t, size_t)')
  const mprotect = library.func('int mprotect(uintptr_t, size_t, int)')
  const mremap = library.func(
    'uintptr_t mremap(uintptr_t, size_t, size_t, int, uintptr_t)',
  ) as unknown as ToAddress
  const sbrk = library.func('uintptr_t sbrk(intptr_t)') as unknown as ToAddress

  /** Takes the free parts of a range. */
  function take(from: bigint, size: bigint, taken: [from: bigint, size: bigint][]) {
    const at = BigInt(mmap(from, size, 0, ours | noReserve | notOver, -1, 0))
    if (at === from) taken.push([from, size])
    else {
      if (at !== mapFailed) munmap(at, size) // an old kernel takes the place as a wish
      if (size <= smallestPart) return
      take(from, size / 2n, taken)
      take(from + size / 2n, size / 2n, taken)
    }
  }
  const enlarge = (from: bigint, to: bigint) => {
    for (let at = up(from); at + huge <= to; at += huge) advise(at, huge, collapse)
  }
  /** Where the kernel places the next part of memory: below the one before, unless something lies there. */
  function next(): bigint {
    const at = BigInt(mmap(0n, part, 0, ours | noReserve, -1, 0))
    munmap(at, part)
    return at
  }

  return {
    /** V8 maps its memory so that no child gets it. */
    share: () => void advise(lowest, highest - lowest, doFork),
    /**
     * What V8 allocates from now on lies together, because all places that it wants are taken, and ends
     * where a page of 2 MiB does. Returns a function that gives these places back and puts what lies
     * together into such pages.
     */
    gather(): () => void {
      const taken: [bigint, bigint][] = []
      take(0n, endOfPlaces, taken)
      const end = next() + part
      const rest = end % huge
      const top = end - rest
      if (rest > 0n) mmap(top, rest, 0, ours | noReserve | notOver, -1, 0)
      return () => {
        for (const [from, size] of taken) munmap(from, size)
        // The first and the last of these pages may lack a half at most.
        const begin = next() + part
        const missing = begin % huge
        if (missing <= huge / 2n) mmap(begin - missing, missing, readable | writable, ours | notOver, -1, 0)
        enlarge(begin - missing, top)
        const heapEnd = BigInt(sbrk(0))
        const lacking = up(heapEnd) - heapEnd
        if (lacking <= huge / 2n) sbrk(lacking)
        enlarge(heapEnd - heapSize, up(heapEnd))
      }
    },
    /** Node’s code in pages of 2 MiB. */
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
        const [first, last] = [up(begin), (end / huge) * huge]
        if (last <= first) continue
        const length = last - first
        const area = BigInt(mmap(0n, length + huge, readable | writable, ours, -1, 0))
        if (area === mapFailed) continue
        const place = up(area)
        advise(place, length, hugePage)
        memcpy(place, first, length)
        // Some systems let nobody run what was written.
        if (mprotect(place, length, readable | executable) === 0) mremap(place, length, length, 3, first)
      }
    },
  }
}
