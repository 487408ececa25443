/** The explicit list of attempts to cheat. */
import type { Language } from '@stateeval/contracts'
import type { AttackProgram } from '../attack.ts'
import { attacks, worldAttacks } from '../index.ts'
import type { AnswerForm, CheatingAttempt } from './attempt.ts'
import { callAttempts } from './calls.ts'
import { createCodeAttempt, createCodeAttempts } from './code.ts'
import { dialogueAttempts } from './dialogues.ts'
import { javascriptAttempts, javascriptByWorld } from './javascript.ts'
import { pythonAttempts, pythonByWorld } from './python.ts'
import { createTextAttempts } from './texts.ts'

export {
  type AnswerContent,
  type AnswerForm,
  type CheatingAttempt,
  type AttemptTheme,
  themes,
} from './attempt.ts'
export { spoilAnswer } from './spoil.ts'

const forms: readonly AnswerForm[] = ['javascript', 'python', 'calls', 'dialogue']
const programs = {
  javascript: [javascriptAttempts, javascriptByWorld],
  python: [pythonAttempts, pythonByWorld],
} as const

export const attempts: readonly CheatingAttempt[] = [
  ...createTextAttempts(forms),
  ...(['javascript', 'python'] as const).flatMap((language) => {
    const [any, byWorld] = programs[language]
    return [
      ...createCodeAttempts(language, any),
      ...byWorld.flatMap((world) => createCodeAttempts(language, world.attempts, world.scenarios)),
    ]
  }),
  ...callAttempts,
  ...dialogueAttempts,
]

/** Data of the host as programs of the suite's own tests receive it; nothing of it exists here. */
const canary: Record<Language, string> = {
  javascript:
    "const canary = { pid: process.ppid, port: 22, freePort: 23, udpPort: 53, file: '/etc/passwd', folder: '/tmp', source: '/app/packages/x.ts', unix: '/run/x', abstract: 'x' };",
  python:
    'import os\ncanary = {"pid": os.getppid(), "port": 22, "freePort": 23, "udpPort": 53, "file": "/etc/passwd", "folder": "/tmp", "source": "/app/packages/x.ts", "unix": "/run/x", "abstract": "x"}\n',
}
/** Themes whose RESULT is the attack; others act, and the honest code continues. */
const setResult = /^(results|oracles|words)\b/

const convertAttack = (
  { name, language, code }: AttackProgram,
  scenarios?: readonly string[],
): CheatingAttempt =>
  createCodeAttempt({
    name: `sandbox: ${name}`,
    language,
    code: code.includes('canary') ? `${canary[language]}${code}` : code,
    place: setResult.test(name) ? 'after' : 'before',
    ...(scenarios && { scenarios }),
  })

/** The hostile programs that sandboxes are tested with, as attempts. */
export const sandboxAttempts: readonly CheatingAttempt[] = [
  ...attacks.map((attack) => convertAttack(attack)),
  ...Object.entries(worldAttacks).flatMap(([scenario, list]) =>
    list.map((attack) => convertAttack({ ...attack, name: `${scenario}: ${attack.name}` }, [scenario])),
  ),
]
