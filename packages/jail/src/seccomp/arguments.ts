/** Rules on arguments: system calls that ordinary programs need in one form and attackers in another. */
import { allowOnlyIf, allowUnless, type ArgumentRule, type SyscallRefusal, type SyscallRule } from './rule.ts'

/**
 * All CLONE_NEW* that fit into clone’s flags (include/uapi/linux/sched.h); CLONE_NEWTIME is clone3’s alone.
 */
const newNamespaces = 0x7e020000
const newThread = 0x00010000

/** A process in new namespaces would have capabilities there; without `fork`, only threads are allowed. */
export const restrictClone = (fork: boolean, refusal: SyscallRefusal): ArgumentRule => ({
  argument: 0,
  mask: newNamespaces,
  cases: [{ values: [0], rule: fork ? 'allow' : allowOnlyIf(0, [newThread], refusal, newThread) }],
  otherwise: 'EPERM',
})

const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 }
const types = { stream: 1, datagram: 2, raw: 3, seqpacket: 5 }
/** SOCK_NONBLOCK and SOCK_CLOEXEC are set in the same word. */
const typeBits = 0xf
const protocols = { any: 0, tcp: 6, udp: 17, netlinkRoute: 0 }

const restrictSocketType = (...cases: ArgumentRule['cases']): ArgumentRule => ({
  argument: 1,
  mask: typeBits,
  cases,
  otherwise: 'EPERM',
})
const streams = { values: [types.stream], rule: allowOnlyIf(2, [protocols.any, protocols.tcp], 'EPERM') }
const datagrams = { values: [types.datagram], rule: allowOnlyIf(2, [protocols.any, protocols.udp], 'EPERM') }

/**
 * The families and kinds of sockets that a program on a loopback needs. Packet, vsock and AF_ALG sockets, raw
 * ones and rare protocols (SCTP, UDP-Lite, ping) are where holes of the kernel are. Of netlink there is only
 * NETLINK_ROUTE, by which os.networkInterfaces() and libc ask for interfaces; to change any takes a
 * capability. An unknown family is answered as a kernel without it answers: libc then goes on without, so
 * that names are still resolved.
 */
export const sockets: Record<'loopback' | 'client', (refusal: SyscallRefusal) => ArgumentRule> = {
  loopback: () => ({
    argument: 0,
    cases: [
      {
        values: [families.unix],
        rule: allowOnlyIf(1, [types.stream, types.datagram, types.seqpacket], 'EPERM', typeBits),
      },
      { values: [families.inet, families.inet6], rule: restrictSocketType(streams, datagrams) },
      { values: [families.netlink], rule: allowOnlyIf(2, [protocols.netlinkRoute], 'EAFNOSUPPORT') },
    ],
    otherwise: 'EAFNOSUPPORT',
  }),
  client: (refusal) => ({
    argument: 0,
    cases: [
      {
        values: [families.inet, families.inet6],
        rule: restrictSocketType(streams, { values: [types.datagram], rule: refusal }),
      },
      ...(refusal === 'kill' ? [{ values: [families.unix, families.netlink], rule: refusal }] : []),
    ],
    otherwise: 'EAFNOSUPPORT',
  }),
}
export const socketpair = allowOnlyIf(0, [families.unix], 'EAFNOSUPPORT')

/** Levels of setsockopt and, in them, what attaches programs or protocols to a socket. */
const [ip, socketLevel, tcp, udp, ipv6] = [0, 1, 6, 17, 41]
const attachments = [26, 50, 51, 52] // SO_ATTACH_FILTER, _BPF, _REUSEPORT_CBPF, _REUSEPORT_EBPF
const tcpRepairAndUlp = [19, 31]
export const setsockopt: ArgumentRule = {
  argument: 1,
  cases: [
    { values: [socketLevel], rule: allowUnless(2, attachments, 'EPERM') },
    { values: [tcp], rule: allowUnless(2, tcpRepairAndUlp, 'EPERM') },
    { values: [ip, ipv6, udp], rule: 'allow' },
  ],
  otherwise: 'ENOPROTOOPT',
}

/**
 * The same for programs that have output and channel after one another: SO_KEEPALIVE, which clients of HTTP
 * set. On those sockets it does nothing, and the process that forks takes it back.
 */
const socketOptions = [9]
export const restrictSharedSetsockopt = (refusal: SyscallRefusal): ArgumentRule => ({
  ...setsockopt,
  cases: [
    { values: [socketLevel], rule: allowOnlyIf(2, socketOptions, refusal) },
    ...setsockopt.cases.slice(1),
  ],
})

/**
 * TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: whether something is a terminal, and flags of
 * descriptors. Not TIOCSTI and TIOCLINUX, which type into a terminal, nor anything that a device or file
 * system understands.
 */
export const restrictIoctl = (isolates: boolean) =>
  allowOnlyIf(1, isolates ? [...ioctls, setInterfaceFlags] : ioctls, 'ENOTTY')
const ioctls = [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451]
/** SIOCSIFFLAGS: brings the loopback of a new network up. */
const setInterfaceFlags = 0x8914

/**
 * F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY: signals sent to processes by way of a descriptor.
 * F_SETPIPE_SZ: the kernel counts pipes’ buffers by user, for all jails together, and beyond 64 MiB new
 * pipes of everybody hold 8 KiB instead of 64.
 */
const refusedFcntl = [8, 10, 15, 1024, 1026, 1031]
export const fcntl = allowUnless(1, refusedFcntl, 'EPERM')

/**
 * The same for programs that share descriptors one after the other. F_OFD_SETLK, F_OFD_SETLKW: such locks
 * belong to what a descriptor stands for, so they would outlive the program.
 */
export const restrictSharedFcntl = (refusal: SyscallRefusal): ArgumentRule => ({
  argument: 1,
  cases: [
    { values: refusedFcntl, rule: 'EPERM' },
    { values: [37, 38], rule: refusal },
  ],
  otherwise: 'allow',
})

/**
 * PDEATHSIG, DUMPABLE, NAME, SECCOMP, CAPBSET_READ, TIMERSLACK, CHILD_SUBREAPER, NO_NEW_PRIVS,
 * GET_TID_ADDRESS, THP, CAP_AMBIENT, SVE, tagged addresses, naming of memory: what libraries and runners set
 * for themselves.
 */
export const restrictPrctl = (isolates: boolean) =>
  allowOnlyIf(0, isolates ? [...processOptions, dropFromBounds] : processOptions, 'EINVAL')
const processOptions = [
  ...[1, 2, 3, 4, 15, 16, 21, 22, 23, 29, 30, 36, 37, 38, 39, 40, 41, 42, 47, 50, 51, 55, 56, 0x53564d41],
]
/** PR_CAPBSET_DROP */
const dropFromBounds = 24

/** CLONE_NEWUSER with CLONE_NEWNET, both or nothing: the first gives the right to the second. */
export const unshareNetwork = allowOnlyIf(0, [0x50000000], 'EPERM')

/** Only queries; changing it could disable protections such as random addresses. */
export const personality = allowOnlyIf(0, [0xffffffff], 'EPERM')

/** Only for itself: 0. */
export const ofItself = allowOnlyIf(0, [0], 'EPERM')

export const restrictSignalling = (self: number | undefined, refusal: SyscallRefusal): SyscallRule =>
  self === undefined ? 'allow' : allowOnlyIf(0, [self], refusal)
