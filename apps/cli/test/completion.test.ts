/** The printed scripts, loaded by the real shells and asked for completions. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { patience } from '@stateeval/testkit/patience'
import { createProgram } from '../src/program.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-completion-'))
  await writeFile(join(folder, 'answers one.jsonl'), '')
  for (const shell of ['bash', 'zsh', 'fish'])
    await writeFile(join(folder, `script.${shell}`), await script(shell))
})
afterAll(() => rm(folder, { recursive: true }))

async function script(shell: string): Promise<string> {
  let out = ''
  const streams = { stdout: { write: (text: string) => (out += text) }, stderr: { write: () => true } }
  expect(await createProgram(streams, new AbortController().signal)(['completion', shell])).toBe(0)
  return out
}

/** Asks a shell what may follow a line, the last word of which is being typed. */
const askers: Record<string, (words: string[]) => string[]> = {
  bash: (words) => [
    'bash',
    '--norc',
    '-c',
    `source script.bash; complete -p stateeval >/dev/null || exit 1
COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _stateeval; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    ...words,
  ],
  fish: (words) => [
    'fish',
    '--no-config',
    '-c',
    `source script.fish; complete -C ${JSON.stringify(words.join(' '))}`,
  ],
  // Only its line editor completes, so the shell gets a terminal, and prints each match that it would offer.
  zsh: (words) => [
    'zsh',
    '-f',
    '-c',
    `zmodload zsh/zpty; zpty inner zsh -f -i
w() { zpty -w inner "$1" }
w 'PS1=; PROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -u -D; source ./script.zsh'
w 'compadd() { local -a found; builtin compadd -O found "$@"; (( \${#found} )) && print -rl -- "@"\${^found} >> out.zsh; builtin compadd "$@" }'
w 'done-completing() { print >> out.zsh "@@end"; exit }; zle -N done-completing; bindkey "^X" done-completing'
zpty -n -w inner $'${words.join(' ')}\\t\\x18'
while zpty -r inner line; do [[ -f out.zsh && "$(<out.zsh)" == *@@end* ]] && break; done
sed -n '/^@@end/d; s/^@//p' out.zsh; rm -f out.zsh`,
  ],
}

function ask(shell: string, ...words: string[]): string[] {
  const [file, ...args] = askers[shell]!(['stateeval', ...words])
  const { status, stdout, stderr } = spawnSync(file!, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: patience(60_000),
    env: { ...process.env, HOME: folder, TERM: 'dumb' },
  })
  expect({ shell, status, stderr }).toEqual({ shell, status: 0, stderr: expect.any(String) })
  // A path is offered once for each way in which zsh may complete it.
  const offered = stdout.split('\n').flatMap((line) => line.split('\t')[0]!.trim().replaceAll('\\', '') || [])
  return [...new Set(offered)]
}

for (const shell of ['bash', 'zsh', 'fish']) {
  const isThere = spawnSync(shell, ['--version']).status === 0
  if (!isThere) console.info(`skipped: completion is not tried in ${shell}, which is not installed`)
  const inShell = isThere ? test : test.skip

  inShell(`${shell} completes commands, options, their values, arguments and files`, () => {
    expect(ask(shell, 'eva')).toEqual(['evaluate'])
    expect(ask(shell, 'evaluate', '--prompt')).toEqual(['--prompting'])
    expect(ask(shell, 'evaluate', '--prompting', '').toSorted()).toEqual([
      'cot',
      'direct',
      'few-shot',
      'reflect',
    ])
    expect(ask(shell, 'report', 'ev_1', '--format', 'js').toSorted()).toEqual(['json', 'jsonl'])
    expect(ask(shell, 'list', 'ev')).toEqual(['evaluations'])
    expect(ask(shell, 'evaluate', '--answers', 'ans')).toEqual(['answers one.jsonl'])
  })
}
