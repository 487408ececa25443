/**
 * The system calls that a candidate may make: an allow-list. Listed refusals are intentional and answer
 * EPERM. Unlisted calls are unknown and answer ENOSYS, as on an older kernel: libraries fall back, and a
 * future call of Linux is closed until it is reviewed.
 */
import * as args from './arguments.ts'
import type { SyscallRefusal, SyscallRule } from './rule.ts'

export interface SyscallPolicy {
  /**
   * loopback: sockets of unix, TCP and UDP; client: TCP connections out, nothing that listens; none: only
   * pairs.
   */
  network: 'loopback' | 'client' | 'none'
  /**
   * Other programs may be started. bubblewrap starts the runner under its filter, so a jail’s first filter
   * needs it.
   */
  exec: boolean
  /** Processes may be made, not threads alone. */
  fork: boolean
  /**
   * `before`: it may move into a new network namespace, bring up its loopback, listen there, and give up its
   * rights over it. `after`: only the last, and the loopback, for which it has no rights any more: a smaller
   * addition to the filter of `before` than refusing them.
   */
  isolation?: 'before' | 'after'
  /** The only process that signals may go to; by default any in the jail. */
  self?: number
  /**
   * The answer to a call that a jail for one program allows and this one doesn’t: EPERM by default; `kill`
   * where the program then runs again in its own jail.
   */
  refusal?: SyscallRefusal
}

/** The filter that bubblewrap installs for a jail. */
export const jailPolicy: SyscallPolicy = { network: 'loopback', exec: true, fork: true }
/** The same for a jail whose process forks a child for each program: each child gets its own network. */
export const forkingJailPolicy: SyscallPolicy = { ...jailPolicy, isolation: 'before' }
/** For a process that forks children into its jail, and for the rights that they inherit from it. */
export const forkerPolicy: SyscallPolicy = {
  ...{ network: 'client', exec: false, fork: true, isolation: 'before', refusal: 'kill' },
}
/**
 * For such a child: it writes its own pid over `selfMark` and installs the additional filter with prctl.
 */
export const selfMark = 0x53454c46
export const childPolicy: SyscallPolicy = { ...forkerPolicy, fork: false, isolation: 'after', self: selfMark }

/** Every named call with its rule. */
export function listRules({
  network,
  exec,
  fork,
  isolation,
  self,
  refusal = 'EPERM',
}: SyscallPolicy): ReadonlyMap<string, SyscallRule> {
  const listens = network === 'loopback' ? 'allow' : refusal
  const processes = fork ? 'allow' : refusal
  const isChild = self !== undefined && refusal === 'kill'
  const groups: [names: string, rule: SyscallRule][] = [
    ...Object.values(allowedCalls).map((names): [string, SyscallRule] => [names, 'allow']),
    ...Object.values(refusedCalls).map((names): [string, SyscallRule] => [names, 'EPERM']),
    ['fork vfork', processes],
    ['execve', exec ? 'allow' : refusal],
    ['clone', args.restrictClone(fork, refusal)],
    // Its flags are in memory, where a filter can’t look. libc falls back to clone.
    ['clone3', 'ENOSYS'],
    ['socket', network === 'none' ? 'EAFNOSUPPORT' : args.sockets[network](refusal)],
    ['socketpair', args.socketpair],
    ['connect', network === 'none' ? 'EPERM' : 'allow'],
    ['bind listen', isolation === 'before' ? 'allow' : listens],
    ['accept accept4', listens],
    ['unshare', isolation === 'before' ? args.unshareNetwork : 'EPERM'],
    ['capset', isolation ? 'allow' : 'EPERM'],
    ['setsockopt', isChild ? args.restrictSharedSetsockopt(refusal) : args.setsockopt],
    // Its namespace of users maps nobody, so no number means a user there.
    ['chown fchown lchown fchownat', isChild ? refusal : 'allow'],
    ['ioctl', args.restrictIoctl(isolation !== undefined)],
    // Locks of descriptors that are shared would outlive a program.
    ['flock', refusal === 'kill' ? refusal : 'allow'],
    ['fcntl', refusal === 'kill' ? args.restrictSharedFcntl(refusal) : args.fcntl],
    // Descriptors that these calls send outlive a program on their way and count for all jails.
    ['sendmsg sendmmsg', isChild ? refusal : 'allow'],
    ['prctl', args.restrictPrctl(isolation !== undefined)],
    ['personality', args.personality],
    ['prlimit64 sched_setaffinity', args.ofItself],
    ['kill tgkill', args.restrictSignalling(self, refusal)],
    [
      'tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal',
      self === undefined ? 'allow' : refusal,
    ],
  ]
  const rulesByName = new Map<string, SyscallRule>()
  for (const [names, rule] of groups)
    for (const name of names.trim().split(/\s+/)) {
      if (rulesByName.has(name)) throw new Error(`${name} has two rules`)
      rulesByName.set(name, rule)
    }
  return rulesByName
}

const allowedCalls = {
  files: `read write open openat openat2 creat close close_range stat fstat lstat newfstatat statx access faccessat faccessat2 lseek
    pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 sendfile copy_file_range readlink readlinkat getcwd chdir fchdir mkdir
    mkdirat rmdir rename renameat renameat2 unlink unlinkat link linkat symlink symlinkat chmod fchmod fchmodat fchmodat2 umask utime utimes utimensat futimesat truncate ftruncate fallocate fadvise64 readahead fsync fdatasync
    sync_file_range statfs fstatfs getdents getdents64 dup dup2 dup3 pipe pipe2 mknod mknodat getxattr lgetxattr fgetxattr listxattr
    llistxattr flistxattr`,
  waiting: `select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 signalfd
    signalfd4 timerfd_create timerfd_settime timerfd_gettime`,
  memory: `mmap mprotect munmap mremap brk madvise msync mincore mlock mlock2 munlock mlockall munlockall membarrier pkey_alloc
    pkey_free pkey_mprotect mseal map_shadow_stack`,
  processes: `exit exit_group wait4 waitid getpid getppid gettid getpgid getpgrp setpgid getsid setsid getpriority set_tid_address
    set_robust_list get_robust_list rseq arch_prctl futex futex_waitv futex_wake futex_wait futex_requeue getrlimit setrlimit getrusage
    times sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min
    sched_rr_get_interval sched_getattr getcpu restart_syscall getuid geteuid getgid getegid getresuid getresgid getgroups capget`,
  signals: `rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause alarm setitimer
    getitimer`,
  time: `nanosleep clock_gettime clock_getres clock_nanosleep gettimeofday time timer_create timer_settime timer_gettime
    timer_getoverrun timer_delete`,
  sockets: 'getsockname getpeername getsockopt sendto recvfrom recvmsg recvmmsg shutdown',
  rest: 'uname sysinfo getrandom',
}

/** Refused calls by their purpose. */
const refusedCalls = {
  'other processes':
    'ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp',
  'watching and programming the kernel': 'perf_event_open bpf seccomp lookup_dcookie syslog',
  'keys, which belong to the user and not to the jail': 'add_key request_key keyctl',
  'interfaces with a history of vulnerabilities': `userfaultfd io_uring_setup io_uring_enter io_uring_register io_setup io_submit io_getevents
    io_pgetevents io_cancel io_destroy vmsplice splice tee remap_file_pages modify_ldt`,
  'memory that no limit counts':
    'memfd_create memfd_secret setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr',
  'mounts and roots': `mount umount2 pivot_root chroot open_tree open_tree_attr move_mount fsopen fsconfig fsmount fspick mount_setattr
    statmount listmount`,
  namespaces: 'setns',
  'the kernel itself': `kexec_load kexec_file_load init_module finit_module delete_module create_module query_module get_kernel_syms
    nfsservctl`,
  'the machine': `swapon swapoff reboot quotactl quotactl_fd acct sync syncfs sysfs _sysctl uselib ustat vhangup iopl ioperm sethostname
    setdomainname`,
  'files by handle, files of others':
    'name_to_handle_at open_by_handle_at fanotify_init fanotify_mark execveat',
  // Files of the runtime are the same for all jails: who watches them sees what others load.
  'watching files': 'inotify_init inotify_init1 inotify_add_watch inotify_rm_watch',
  clocks: 'settimeofday clock_settime adjtimex clock_adjtime',
  'what outlives a candidate in a shared jail': `shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semtimedop semctl mq_open
    mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr`,
  'other identities': 'setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups',
  'priorities and placement, also of others': `setpriority sched_setscheduler sched_setparam sched_setattr ioprio_set mbind set_mempolicy
    get_mempolicy set_mempolicy_home_node migrate_pages move_pages`,
}
