/** Checks the English of instructions: a grammar linter, and rules for what it does not know. */
import { Dialect, LocalLinter } from 'harper.js'
import { binaryInlined } from 'harper.js/binaryInlined'

/** Words of the field that its dictionary lacks. */
const words = ['convolve', 'convolved']
/** A constant is data, whatever its words; the linter skips what stands in backticks. */
const constant = /"(?:[^"\\\n]|\\.)*"/g
const ownRules: Readonly<Record<string, RegExp>> = {
  'a number that nobody writes': /\d\.\d{5}/,
  'a repeated word': /\b([a-z]+) \1\b/i,
  'a possessive of a name in backticks': /`'s\b/,
}

/** What is wrong with a text: the rule, what it says and where; nothing where all is well. */
export async function makeLanguageCheck(): Promise<(text: string) => Promise<string[]>> {
  const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.American })
  await linter.importWords([...words])
  return async (text) => {
    const plain = text.replace(constant, (quoted) => `\`${quoted.slice(1, -1).replaceAll('`', ' ')}\``)
    const lints = await linter.organizedLints(plain, { language: 'markdown' })
    const findings = Object.entries(lints).flatMap(([rule, lintsOfRule]) =>
      lintsOfRule.map((lint) => `${rule}: ${lint.message()} In: ${lint.get_problem_text()}`),
    )
    const ownFindings = Object.entries(ownRules).flatMap(([rule, pattern]) => {
      const match = pattern.exec(plain)
      return match ? [`${rule}: ${plain.slice(Math.max(0, match.index - 30), match.index + 40)}`] : []
    })
    return [...findings, ...ownFindings]
  }
}
