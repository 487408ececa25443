/** Ends, signals, children, native code. */
import {
  type AttackProgram,
  anyEnd,
  expectFound,
  javascript,
  expectKill,
  noResult,
  nothing,
  python,
  throws,
} from '../attack.ts'

const crash = expectKill('crash')

export const processes: readonly AttackProgram[] = [
  javascript('exit', 'process.exit(137)', noResult),
  javascript('reallyExit', 'process.reallyExit(0)', noResult),
  javascript('abort', 'process.abort()', crash),
  javascript(
    'kills itself',
    'process.kill(process.pid, "SIGKILL"); await new Promise(() => setInterval(() => {}, 50))',
    [crash, throws, expectKill('memory'), { status: 'timeout' }],
    { wallMs: 1500 },
  ),
  javascript(
    'kills everybody',
    'for (const signal of ["SIGTERM", "SIGKILL", "SIGSTOP", "SIGUSR1", "SIGSEGV"]) for (const pid of [-1, 0, 1, process.ppid, 2, 3, canary.pid]) try { process.kill(pid, signal) } catch {} RESULT = 1',
    anyEnd,
    { wallMs: 1500 },
  ),
  javascript(
    'segfault',
    'process.kill(process.pid, "SIGSEGV"); await new Promise((go) => setTimeout(go, 200)); RESULT = 1',
    anyEnd,
    {
      wallMs: 1500,
    },
  ),
  javascript(
    'the debugger',
    'require("inspector").open(0, "127.0.0.1"); RESULT = require("inspector").url() ?? ""',
    anyEnd,
  ),
  javascript('the debugger of others', 'process._debugProcess(canary.pid); RESULT = 1', [
    throws,
    { status: 'completed' },
  ]),
  javascript(
    'child processes',
    'const { spawnSync } = require("child_process"); const seen = spawnSync("/bin/node", ["-e", "console.log(require(\'fs\').existsSync(\'/etc/passwd\'), require(\'os\').userInfo().uid)"]); RESULT = String(seen.stdout ?? "").startsWith("true") ? ["passwd"] : []',
    nothing,
  ),
  javascript(
    'a child that stays',
    'require("child_process").spawn("/bin/node", ["-e", "setInterval(() => {}, 100)"], { detached: true, stdio: "ignore" }).unref(); RESULT = 1',
    anyEnd,
  ),
  javascript(
    'a shell',
    'const { execSync } = require("child_process"); RESULT = []; for (const command of ["id", "cat /etc/passwd", "curl http://169.254.169.254"]) try { RESULT.push(String(execSync(command, { stdio: "pipe" }))) } catch {}',
    nothing,
  ),
  javascript(
    'bindings',
    'RESULT = []; for (const name of ["fs", "process_wrap", "tcp_wrap", "os", "spawn_sync"]) try { const binding = process.binding(name); if (binding.spawn) RESULT.push(String(binding.spawn({ file: "/bin/sh", args: ["sh", "-c", "id"], stdio: [] }).output)) } catch {}',
    [nothing, expectFound(['']), expectFound(['undefined']), expectFound(['null']), crash],
  ),
  javascript(
    'native addons',
    'const { writeFileSync } = require("fs"); writeFileSync("/tmp/evil.node", Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), Buffer.alloc(200)])); const module_ = { exports: {} }; process.dlopen(module_, "/tmp/evil.node"); RESULT = Object.keys(module_.exports)',
    throws,
  ),
  javascript(
    'system calls that hurt',
    'RESULT = []; try { process.setuid(0); RESULT.push("root") } catch {} try { process.setgroups?.([0]); RESULT.push("groups") } catch {} try { require("os").setPriority(0, -20); RESULT.push("nice") } catch {}',
    nothing,
    undefined,
    expectFound(['nice']),
  ),
  javascript(
    'leaves a worker running',
    'const { Worker } = require("worker_threads"); new Worker("setInterval(() => {}, 50)", { eval: true }).unref(); RESULT = 1; setTimeout(() => process.exit(0), 50)',
    anyEnd,
  ),
  javascript(
    'WASI',
    'const { WASI } = require("wasi"); try { const wasi = new WASI({ version: "preview1", preopens: { "/": "/" } }); RESULT = [] } catch { RESULT = [] }',
    nothing,
  ),

  python('exit', 'import os\nos._exit(0)', [noResult, crash]),
  python('sys.exit', 'import sys\nsys.exit(3)', [noResult, throws]),
  python('abort', 'import os\nos.abort()', crash),
  python(
    'kills everybody',
    'import os, signal\nfor pid in [-1, 0, 1, os.getppid(), os.getpid() - 1, canary["pid"]]:\n    for sig in [signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL]:\n        try:\n            os.kill(pid, sig)\n        except OSError:\n            pass\nRESULT = 1',
    anyEnd,
    { wallMs: 1500 },
  ),
  python('kills its parent', 'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nRESULT = 1', anyEnd, {
    wallMs: 1500,
  }),
  python('stops its group', 'import os, signal\nos.killpg(0, signal.SIGSTOP)\nRESULT = 1', anyEnd, {
    wallMs: 1500,
  }),
  python('segfault by ctypes', 'import ctypes\nctypes.string_at(0)', [crash, throws]),
  python(
    'ptrace',
    'import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nRESULT = [pid for pid in [1, os.getppid(), canary["pid"]] if libc.ptrace(16, pid, 0, 0) == 0]',
    [nothing, throws, crash],
  ),
  python(
    'system calls by ctypes',
    'import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nRESULT = [name for name, call in {"unshare": lambda: libc.unshare(0x10000000), "setns": lambda: libc.setns(0, 0), "mount": lambda: libc.mount(b"x", b"/tmp", b"tmpfs", 0, 0), "chroot": lambda: libc.chroot(b"/tmp"), "setuid": lambda: libc.setuid(0), "reboot": lambda: libc.reboot(0), "bpf": lambda: libc.syscall(321, 0, 0, 0), "keyctl": lambda: libc.syscall(250, 0, 0, 0), "io_uring": lambda: libc.syscall(425, 8, 0), "userfaultfd": lambda: libc.syscall(323, 0), "perf": lambda: libc.syscall(298, 0, 0, -1, -1, 0), "vm_read": lambda: libc.syscall(310, 1, 0, 0, 0, 0, 0)}.items() if call() >= 0 and name != "vm_read"]',
    [nothing, throws, crash],
    undefined,
    // A namespace of gVisor's own kernel, and its root there.
    expectFound(['unshare', 'chroot']),
  ),
  python(
    'dlopen of a file of its own',
    'import ctypes\nopen("/tmp/evil.so", "wb").write(b"\\x7fELF" + b"\\0" * 200)\nctypes.CDLL("/tmp/evil.so")\nRESULT = 1',
    throws,
  ),
  python(
    'subprocesses',
    'import subprocess, os\nRESULT = []\nfor command in [["/bin/sh", "-c", "id"], ["cat", "/etc/passwd"], ["id"]]:\n    try:\n        RESULT.append(subprocess.run(command, capture_output=True, timeout=2).stdout.decode())\n    except Exception:\n        pass',
    [nothing, throws],
  ),
  python(
    'a child that stays',
    'import os, time\ntry:\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            time.sleep(60)\n        os._exit(0)\nexcept OSError:\n    pass\nRESULT = 1',
    anyEnd,
    { wallMs: 3000 },
  ),
  python(
    'a thread that stays',
    'import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=False).start()\nRESULT = 1',
    anyEnd,
    { wallMs: 1500 },
  ),
  python(
    'signals caught',
    'import signal, time\nfor sig in range(1, 64):\n    try:\n        signal.signal(sig, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\nwhile True:\n    time.sleep(0.01)',
    { status: 'timeout' },
    { wallMs: 700 },
  ),
  python(
    'writes over code in memory',
    'import ctypes\naddress = id(0) \nctypes.memset(address, 0xff, 4096)\nRESULT = 1',
    anyEnd,
  ),
]
