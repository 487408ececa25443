/** Files of the host, of the service, of other processes; and writing where others would read. */
import { type AttackProgram, expectFound, javascript, nothing, python } from '../attack.ts'

const readable =
  'const fs = require("fs"); const read = (paths) => paths.flatMap((path) => { try { return [[path, fs.readFileSync(path, "latin1").slice(0, 300)]] } catch { return [] } });'
const listing =
  'const list = (path) => { try { return fs.readdirSync(path).map((name) => path + "/" + name) } catch { return [] } };'
const pyReadable = `
def read(paths):
    got = []
    for path in paths:
        try:
            got.append([path, open(path, "rb").read(300).decode("latin1")])
        except OSError:
            pass
    return got
`

export const files: readonly AttackProgram[] = [
  javascript(
    'reads the host’s accounts and configuration',
    `${readable} RESULT = read(['/etc/passwd', '/etc/shadow', '/etc/group', '/etc/hostname', '/etc/resolv.conf', '/root/.bashrc', '/root/.npmrc', '/etc/ssh/sshd_config', '/var/run/secrets/kubernetes.io/serviceaccount/token', '/.dockerenv'])`,
    nothing,
  ),
  javascript(
    'reads a file that everybody may read',
    `${readable} RESULT = read([canary.file, '/proc/1/root' + canary.file, '/proc/self/root' + canary.file, '/proc/1/cwd/..' + canary.file])`,
    nothing,
  ),
  javascript(
    'reads the service’s source',
    `${readable} ${listing} RESULT = [...read([canary.source, canary.source.replace(/suites.*/, 'package.json'), 'package.json', '../package.json']), ...list('/work'), ...list('/app'), ...list('/home'), ...list('/root'), ...list('/usr/src')]`,
    nothing,
  ),
  javascript(
    'reads environments of other processes',
    `${readable} ${listing} RESULT = read(list('/proc').filter((path) => /\\d+$/.test(path)).map((path) => path + '/environ')).filter(([, text]) => text.includes('CANARY') || /USER=|SHELL=|TOKEN|SECRET|STATEEVAL/.test(text))`,
    nothing,
  ),
  javascript(
    'reads command lines of other processes',
    `${readable} ${listing} RESULT = read(list('/proc').filter((path) => /\\d+$/.test(path)).map((path) => path + '/cmdline')).map(([, text]) => text.split('\\0')[0]).filter((name) => !['/bin/node', 'bwrap'].includes(name))`,
    nothing,
  ),
  javascript(
    'looks into its own memory for what the host said',
    `${readable} RESULT = read(['/proc/self/maps', '/proc/self/mem']).filter(([, text]) => text.includes(canary.folder) || text.includes('/work/'))`,
    nothing,
  ),
  javascript(
    'mounts and disks',
    `${readable} RESULT = read(['/proc/self/mountinfo']).flatMap(([, text]) => text.split('\\n')).filter((line) => line.includes(canary.folder)); for (const path of ['/dev/sda', '/dev/vda', '/dev/mem', '/dev/kmsg', '/sys/kernel', '/sys/fs/cgroup']) if (require('fs').existsSync(path)) RESULT.push(path)`,
    nothing,
  ),
  javascript(
    'writes outside',
    `const fs = require('fs'); RESULT = [canary.folder + '/written', '/etc/written', '/bin/written', '/runner/written', '/written', '/usr/written', '/dev/written', '/proc/sys/kernel/hostname', '/proc/self/oom_score_adj'].filter((path) => { try { fs.writeFileSync(path, '0'); return path !== '/proc/self/oom_score_adj' } catch { return false } })`,
    nothing,
  ),
  javascript(
    'changes the runner’s files',
    `const fs = require('fs'); RESULT = ['/runner/runner.js', '/runner/boot.cjs', '/runner/warm.js', '/runner/runner.cache', '/runner/axios.snapshot', '/runner/bare.snapshot', '/bin/node', '/etc/hosts'].filter((path) => { try { fs.appendFileSync(path, 'x'); return true } catch {} try { fs.renameSync(path, path + '.old'); return true } catch {} try { fs.chmodSync(path, 0o777); return true } catch { return false } })`,
    nothing,
  ),
  javascript(
    'leads by symlinks',
    `const fs = require('fs'); RESULT = [canary.file, '/etc/passwd', '/proc/1/root/etc/passwd', canary.folder].flatMap((target, n) => { const link = '/tmp/link' + n; fs.symlinkSync(target, link); try { return [fs.readFileSync(link, 'latin1')] } catch { try { fs.writeFileSync(link + '/written', 'x'); return [link] } catch { return [] } } })`,
    nothing,
  ),
  javascript(
    'swaps a file between check and use',
    `const fs = require('fs'); const seen = []; fs.writeFileSync('/tmp/innocent', 'innocent');
     for (let n = 0; n < 200; n++) { try { fs.unlinkSync('/tmp/swap') } catch {} fs.symlinkSync(n % 2 ? canary.file : '/tmp/innocent', '/tmp/swap'); try { const text = fs.readFileSync('/tmp/swap', 'utf8'); if (text !== 'innocent') seen.push(text) } catch {} }
     RESULT = seen`,
    nothing,
  ),
  javascript(
    'shared memory of others',
    `const fs = require('fs'); RESULT = ['/dev/shm', '/tmp', '/var/tmp', '/run', '/dev/mqueue'].flatMap((path) => { try { return fs.readdirSync(path) } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'fills the temporary folder',
    `const fs = require('fs'); const block = Buffer.alloc(1 << 20, 1); let n = 0; try { for (; n < 2000; n++) fs.writeFileSync('/tmp/f' + n, block) } catch (error) { RESULT = error.code } RESULT ??= n`,
    [expectFound(/ENOSPC|EFBIG|EDQUOT/), { status: 'killed', by: 'memory' }],
  ),
  javascript(
    'devices and mounts made',
    `const { spawnSync } = require('child_process'); RESULT = [['mount', '-t', 'tmpfs', 'x', '/tmp'], ['sh', '-c', 'id'], ['/bin/sh'], ['bwrap', '--version']].filter(([command, ...args]) => spawnSync(command, args).error === undefined)`,
    nothing,
  ),

  python(
    'reads the host’s accounts and configuration',
    `${pyReadable}\nRESULT = read(["/etc/shadow", "/etc/group", "/etc/hostname", "/root/.bashrc", "/root/.ssh/id_rsa", "/etc/ssh/sshd_config", canary["file"], canary["source"], "/proc/1/root" + canary["file"]])`,
    nothing,
  ),
  python(
    'reads the password file',
    `${pyReadable}\nRESULT = [text for _, text in read(["/etc/passwd"]) if "root:" in text and "/root" in text]\nimport pwd\ntry:\n    RESULT += [p.pw_name for p in pwd.getpwall() if p.pw_name not in ("nobody", "jail")]\nexcept Exception:\n    pass`,
    nothing,
  ),
  python(
    'reads environments of other processes',
    `import glob\n${pyReadable}\nRESULT = [pair for pair in read(glob.glob("/proc/[0-9]*/environ")) if "CANARY" in pair[1] or "STATEEVAL" in pair[1] or "TOKEN" in pair[1]]`,
    nothing,
  ),
  python(
    'writes outside',
    `import os\nRESULT = []\nfor path in [canary["folder"] + "/written", "/etc/written", "/usr/written", "/written", "/dev/written", "/proc/sys/kernel/hostname"]:\n    try:\n        open(path, "w").write("x")\n        RESULT.append(path)\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'leads by symlinks',
    `import os\nRESULT = []\nfor n, target in enumerate([canary["file"], canary["source"], "/proc/1/root/etc/shadow"]):\n    try:\n        os.symlink(target, f"/tmp/link{n}")\n        RESULT.append(open(f"/tmp/link{n}").read())\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'changes the library that all share',
    `import requests, os\nRESULT = []\nfor path in [requests.__file__, os.__file__, os.path.dirname(requests.__file__) + "/new.py"]:\n    try:\n        open(path, "a").write("raise SystemExit")\n        RESULT.append(path)\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'reads its own memory and maps',
    `RESULT = []\ntry:\n    text = open("/proc/self/maps").read()\n    RESULT = [line for line in text.splitlines() if canary["folder"] in line]\nexcept OSError:\n    pass`,
    nothing,
  ),
]
