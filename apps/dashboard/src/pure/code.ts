/** Code inside answers. */

/** The text of the last fenced block of an answer; the whole answer if it has none. */
export function extractCode(answer: string): string {
  const lines = answer.split('\n')
  let begun: number | null = null
  let code: string | null = null
  lines.forEach((line, n) => {
    if (!line.trimStart().startsWith('```')) return
    if (begun === null) begun = n
    else {
      code = lines.slice(begun + 1, n).join('\n')
      begun = null
    }
  })
  return code ?? answer
}

/** Code as an answer, in a fence that is longer than any fence in it. */
export function wrapCode(code: string, language: string | undefined): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language ?? ''}\n${code}\n${fence}\n`
}
