/** Attempts in code: lines before or after the honest code, which keeps its names. */
import type { Language } from '@stateeval/contracts'
import { type CheatingAttempt, changeCode, type AttemptTheme } from './attempt.ts'

/** Code by name; what comes after the honest code may replace its RESULT. */
export type CodeAttempts = Partial<
  Record<
    AttemptTheme,
    { before?: Readonly<Record<string, string>>; after?: Readonly<Record<string, string>> }
  >
>

/** A block has its own names, so the honest code can use the same ones. */
const apart: Record<Language, (code: string) => string> = {
  javascript: (code) => `{\n${code}\n}`,
  python: (code) => code,
}

/** Comments and imports that honest code begins with: starter code, which readers of answers may cut away. */
const head = /^(?:(?:\/\/.*|#.*|const \w+ = require\('\w+'\);?|import \w+)?\n)*/

/** A program that is one request. Readers of answers begin there, so what comes before it never runs. */
const request = /^axios\.\w+\((?=')/

/** Runs when the request's first argument is computed, which stays as it is. */
const insertInArgument = (code: string) =>
  /\bawait\b/.test(code) ? `(() => { (async () => ${code})() })() ?? ` : `(() => ${code})() ?? `

const placed = {
  before: (code: string, honest: string) => {
    const [start = ''] = head.exec(honest) ?? []
    const rest = honest.slice(start.length)
    const [opening] = request.exec(rest) ?? []
    return opening === undefined
      ? `${start}${code}\n${rest}`
      : `${start}${opening}${insertInArgument(code)}${rest.slice(opening.length)}`
  },
  after: (code: string, honest: string) => `${honest}\n${code}`,
}

interface CodeAttempt {
  name: string
  language: Language
  code: string
  place: keyof typeof placed
  scenarios?: readonly string[]
}

export const createCodeAttempt = ({
  name,
  language,
  code,
  place,
  scenarios,
}: CodeAttempt): CheatingAttempt => ({
  name,
  form: language,
  ...(scenarios && { scenarios }),
  turn: (answer) => changeCode(answer, (honest) => placed[place](apart[language](code), honest)),
})

export const createCodeAttempts = (
  language: Language,
  attempts: CodeAttempts,
  scenarios?: readonly string[],
): CheatingAttempt[] =>
  Object.entries(attempts).flatMap(([theme, { before = {}, after = {} }]) =>
    (['before', 'after'] as const).flatMap((place) =>
      Object.entries(place === 'before' ? before : after).map(([name, code]) =>
        createCodeAttempt({
          name: `${theme}: ${name}`,
          language,
          code,
          place,
          ...(scenarios && { scenarios }),
        }),
      ),
    ),
  )
