/** Splits the shell of a snippet into its simple commands, as far as our documentation uses shell. */

export interface SimpleCommand {
  /** Variables set for this command alone. */
  variables: Record<string, string>
  words: string[]
  /** Line in the block, from 1. */
  line: number
}

const keywords = new Set(['for', 'do', 'done', 'if', 'then', 'else', 'fi', 'while', '!', '{', '}'])

/** Redirections are left out; `$(…)` and variables stay as they are written. */
export function commandsOf(script: string): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let words: string[] = []
  let word: string | null = null
  let line = 1
  let startLine = 1
  let isTarget = false
  const endWord = () => {
    if (word === null) return
    if (isTarget) isTarget = false
    else {
      if (words.length === 0) startLine = line
      words.push(word)
    }
    word = null
  }
  const endCommand = () => {
    endWord()
    const variables: Record<string, string> = {}
    while (words[0] !== undefined && keywords.has(words[0])) words.shift()
    for (let set; (set = /^([A-Za-z_]\w*)=([^]*)$/.exec(words[0] ?? '')); words.shift())
      variables[set[1]!] = set[2]!
    if (words.length > 0) commands.push({ variables, words, line: startLine })
    words = []
  }
  for (let at = 0; at < script.length; at++) {
    const sign = script[at]!
    if (sign === '\\') {
      if (script[++at] === '\n') line++
      else word = (word ?? '') + (script[at] ?? '')
    } else if (sign === "'" || sign === '"') {
      const end = endOfQuote(script, at)
      const quoted = script.slice(at + 1, end)
      word = (word ?? '') + (sign === "'" ? quoted : quoted.replaceAll(/\\(["\\$`])/g, '$1'))
      line += quoted.split('\n').length - 1
      at = end
    } else if (sign === '$' && script[at + 1] === '(') {
      const end = script.indexOf(')', at)
      word = (word ?? '') + script.slice(at, end + 1)
      at = end
    } else if (sign === '#' && word === null) {
      const end = script.indexOf('\n', at)
      at = (end < 0 ? script.length : end) - 1
    } else if (sign === '\n' || sign === ';' || sign === '|' || sign === '&') {
      endCommand()
      if (sign === '\n') line++
    } else if (sign === '>' || sign === '<') {
      if (word !== null && /^\d$/.test(word)) word = null
      endWord()
      isTarget = true
    } else if (/\s/.test(sign)) endWord()
    else word = (word ?? '') + sign
  }
  endCommand()
  return commands
}

function endOfQuote(script: string, start: number): number {
  const sign = script[start]!
  for (let at = start + 1; at < script.length; at++) {
    if (sign === '"' && script[at] === '\\') at++
    else if (script[at] === sign) return at
  }
  return script.length
}
