/**
 * The network of one child: a network namespace that no other process ever enters, whose listening socket
 * goes to the host. Connections of other children, also those that the kernel completes after their end,
 * cannot arrive there.
 */
import type { NativeLibrary } from './memory.ts'

const [newUser, newNetwork] = [0x1000_0000, 0x4000_0000]
const [inet, stream, closeOnExec] = [2, 1, 0o2000000]
const setInterfaceFlags = 0x8914
const [isUp, isRunning] = [0x1, 0x40]
const backlog = 511
const [socketLevel, rights] = [1, 1]
const dropFromBounds = 24
/** Capabilities that any kernel may know. */
const capabilities = 64
const capabilityVersion = 0x2008_0522
/** How Node receives a descriptor from a child process. */
const handover = '{"cmd":"NODE_HANDLE","type":"net.Native","msg":{"listens":true}}\n'

export function openNetwork(library: NativeLibrary, addressOf: (memory: Buffer) => bigint) {
  const unshare = library.func('int unshare(int)')
  const socket = library.func('int socket(int, int, int)')
  const ioctl = library.func('int ioctl(int, ulong, void *)')
  const bind = library.func('int bind(int, void *, uint)')
  const listen = library.func('int listen(int, int)')
  const sendmsg = library.func('long sendmsg(int, void *, int)')
  const close = library.func('int close(int)')
  const prctl = library.func('int prctl(int, ulong, ulong, ulong, ulong)')
  const capset = library.func('int capset(void *, void *)')

  const loopback = Buffer.alloc(40)
  loopback.write('lo')
  loopback.writeUInt16LE(isUp | isRunning, 16)
  const address = Buffer.alloc(16)
  address.writeUInt16LE(inet, 0)
  address.writeUInt32BE(0x7f00_0001, 4)
  // The message, its vector, its descriptor and its text, in one block: V8 would move small buffers, and
  // collect those that only the kernel reads.
  const block = Buffer.from(new ArrayBuffer(256))
  const [vectorAt, controlAt, textAt] = [64, 80, 112]
  const pointers = { 16: vectorAt, 32: controlAt, [vectorAt]: textAt }
  for (const [at, to] of Object.entries(pointers))
    block.writeBigUInt64LE(addressOf(block) + BigInt(to), Number(at))
  const lengths = { 24: 1, 40: 24, [vectorAt + 8]: handover.length, [controlAt]: 20 }
  for (const [at, length] of Object.entries(lengths)) block.writeBigUInt64LE(BigInt(length), Number(at))
  block.writeInt32LE(socketLevel, controlAt + 8)
  block.writeInt32LE(rights, controlAt + 12)
  block.write(handover, textAt)
  const header = Buffer.alloc(8)
  header.writeUInt32LE(capabilityVersion, 0)
  const none = Buffer.alloc(24)

  const check = (result: number, what: string) => {
    if (result < 0) throw new Error(`${what} failed`)
    return result
  }

  return {
    /**
     * In a child, before its filter and its job: moves it into its own network and, if there is a port, sends
     * the socket that listens there over the channel. Gives up the rights over the network.
     */
    enter(port: number | undefined, channel: number) {
      check(unshare(newUser | newNetwork), 'unshare')
      const listener = check(socket(inet, stream | closeOnExec, 0), 'socket')
      check(ioctl(listener, setInterfaceFlags, loopback), 'bringing the loopback up')
      if (port !== undefined) {
        address.writeUInt16BE(port, 2)
        check(bind(listener, address, address.length), 'bind')
        check(listen(listener, backlog), 'listen')
        block.writeInt32LE(listener, controlAt + 16)
        check(sendmsg(channel, block, 0) - handover.length, 'sendmsg')
      }
      close(listener)
      for (let capability = 0; capability < capabilities; capability++)
        if (prctl(dropFromBounds, capability, 0, 0, 0) < 0) break
      check(capset(header, none), 'capset')
    },
  }
}
