/**
 * Classic BPF as seccomp takes it: instructions of 8 bytes over `struct seccomp_data { int nr; u32 arch; u64
 * instruction_pointer; u64 args[6] }`. Jumps go forward only, so blocks are built from their end: each one
 * returns, and a jump to the next block skips the whole of this one. See the kernel’s
 * Documentation/userspace-api/seccomp_filter.rst.
 */

interface BpfInstruction {
  code: number
  /** Instructions to skip when the comparison holds, and when not. */
  ifTrue: number
  ifFalse: number
  k: number
}
/** Instructions that always end in a return. */
export type BpfBlock = readonly BpfInstruction[]

// Opcodes of include/uapi/linux/bpf_common.h: class | size | mode, class | operation | source.
const loadWord = 0x20
const and = 0x54
const jumpAlways = 0x05
const jumpEqual = 0x15
const jumpGreaterEqual = 0x35
const ret = 0x06

/**
 * Offsets into seccomp_data. Of a 64-bit argument the low half is read: both architectures are little-endian.
 */
export const offsets = { nr: 0, arch: 4, argument: (index: number) => 16 + 8 * index }
/** include/uapi/linux/seccomp.h; an errno is the low 16 bits. */
export const actions = { allow: 0x7fff0000, errno: 0x00050000, killProcess: 0x80000000 }

const createInstruction = (code: number, k: number): BpfInstruction => ({ code, ifTrue: 0, ifFalse: 0, k })
export const load = (offset: number) => createInstruction(loadWord, offset)
export const maskWord = (bits: number) => createInstruction(and, bits)
export const returnAction = (action: number): BpfBlock => [createInstruction(ret, action)]

/** `below` for values less than k, `atLeast` for the others. */
export function splitAtValue(k: number, below: BpfBlock, atLeast: BpfBlock): BpfBlock {
  if (below.length <= 255)
    return [{ code: jumpGreaterEqual, ifTrue: below.length, ifFalse: 0, k }, ...below, ...atLeast]
  // A conditional jump reaches 255 instructions, a plain one any number.
  return [
    { code: jumpGreaterEqual, ifTrue: 0, ifFalse: 1, k },
    createInstruction(jumpAlways, below.length),
    ...below,
    ...atLeast,
  ]
}

/** `hit` if the loaded word is one of the values, otherwise `miss`. */
export function matchAnyValue(values: readonly number[], hit: BpfBlock, miss: BpfBlock): BpfBlock {
  const test = (k: number, ifTrue: number, ifFalse: number): BpfInstruction => ({
    code: jumpEqual,
    ifTrue,
    ifFalse,
    k,
  })
  const last = values.length - 1
  if (hit.length + last <= 255) {
    const tests = values.map((k, index) => test(k, last - index, index === last ? hit.length : 0))
    return [...tests, ...hit, ...miss]
  }
  if (miss.length + last > 255) throw new RangeError('Both blocks are out of a jump’s reach')
  return [...values.map((k, index) => test(k, last - index + miss.length, 0)), ...miss, ...hit]
}

/**
 * Encodes a program as `struct sock_filter { u16 code; u8 jt; u8 jf; u32 k }`: what bubblewrap’s --seccomp
 * reads and prctl takes.
 */
export function encode(program: BpfBlock): Uint8Array {
  if (program.length > 4096)
    throw new RangeError(`${program.length} instructions: the kernel accepts at most 4096`)
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  program.forEach(({ code, ifTrue, ifFalse, k }, index) => {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, ifTrue)
    bytes.setUint8(index * 8 + 3, ifFalse)
    bytes.setUint32(index * 8 + 4, k, true)
  })
  return new Uint8Array(bytes.buffer)
}

/** One line per instruction, with absolute jump targets. */
export function formatInstructions(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / 8 }, (_, index) => {
    const [code, k] = [view.getUint16(index * 8, true), view.getUint32(index * 8 + 4, true)]
    const to = (skip: number) => index + 1 + skip
    const branch = () => `? ${to(view.getUint8(index * 8 + 2))} : ${to(view.getUint8(index * 8 + 3))}`
    return `${String(index).padStart(4)}  ${line()}`
    function line(): string {
      switch (code) {
        case loadWord:
          return `A = ${formatWordName(k)}`
        case and:
          return `A &= ${formatHex(k)}`
        case jumpAlways:
          return `goto ${to(k)}`
        case jumpEqual:
          return `A == ${formatHex(k)} ${branch()}`
        case jumpGreaterEqual:
          return `A >= ${formatHex(k)} ${branch()}`
        case ret:
          return `return ${formatActionName(k)}`
        default:
          return `unknown ${formatHex(code)} ${formatHex(k)}`
      }
    }
  })
}

const formatHex = (value: number) => `0x${value.toString(16)}`
const formatWordName = (offset: number) =>
  offset === offsets.nr
    ? 'nr'
    : offset === offsets.arch
      ? 'arch'
      : `argument ${(offset - offsets.argument(0)) / 8}`
const formatActionName = (action: number) =>
  action === actions.allow
    ? 'allow'
    : action === actions.killProcess
      ? 'kill'
      : `errno ${action - actions.errno}`
