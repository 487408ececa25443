/**
 * Mistakes that programs may have, as changes of the published text. Published cases have no other form than
 * their Python; what is changed are whole statements, constants, names and arguments, so that a mutant stays
 * a program.
 */
import { isApi, isVariable, type ProgramParts, type EditSite } from './parts.ts'
import type { LogicalLine, ProgramToken } from '@stateeval/program'

interface TokenOperator {
  id: string
  sites: (parts: ProgramParts) => EditSite[]
}

const replaceText = (at: { from: number; to: number }, text: string): EditSite => ({
  edits: [{ ...at, text }],
  number: 0,
})
const locateSite = (line: LogicalLine, site: EditSite): EditSite => ({ ...site, number: line.number })

const callLines = ({ lines }: ProgramParts) =>
  lines.filter(({ tokens }) => tokens.some((_, n) => isApi(tokens, n)))
const isBlock = ({ tokens }: LogicalLine) => tokens.at(-1)?.text === ':'
/** `response_0 = …`: the name that is assigned, where a line is such an assignment. */
const getAssignedName = ({ tokens }: LogicalLine) =>
  tokens[0]?.kind === 'name' && tokens[1]?.text === '=' ? tokens[0].text : null

const isSubscript = (tokens: readonly ProgramToken[], n: number) =>
  tokens[n - 1]?.text === '[' &&
  tokens[n + 1]?.text === ']' &&
  (tokens[n - 2]?.kind === 'name' || [']', ')'].includes(tokens[n - 2]?.text ?? ''))
const isConstant = ({ kind, text }: ProgramToken) =>
  kind === 'number' || (kind === 'string' && !/^[rbu]*f/i.test(text))

function createOtherConstant({ kind, text }: ProgramToken): string {
  if (kind === 'number') return /^\d+$/.test(text) ? String(Number(text) + 1) : `${text} + 1`
  return `${text.slice(0, -1)} x${text.at(-1)}`
}

/** The values of a call's argument, by its keyword: from the comma before it to its end. */
function listKeywordValues({ tokens }: LogicalLine): { from: number; to: number }[] {
  return tokens.flatMap((token, n) => {
    const isKeyword =
      token.kind === 'name' && tokens[n + 1]?.text === '=' && [',', '('].includes(tokens[n - 1]?.text ?? '')
    if (!isKeyword || n < 2) return []
    let [depth, end] = [0, n + 2]
    for (; end < tokens.length; end++) {
      const { text } = tokens[end]!
      if (depth === 0 && (text === ',' || text === ')')) break
      if ('([{'.includes(text)) depth++
      if (')]}'.includes(text)) depth--
    }
    const first = tokens[n - 1]!
    const next = tokens[end]
    // The first argument takes the comma behind it along.
    const from = first.text === ',' ? first.from : token.from
    const to = first.text === '(' && next?.text === ',' ? next.to : tokens[end - 1]!.to
    return [{ from, to }]
  })
}

const operators: readonly TokenOperator[] = [
  {
    id: 'call_dropped',
    sites: (parts) =>
      callLines(parts)
        .filter((line) => !isBlock(line))
        .map((line) => locateSite(line, replaceText(line, 'pass'))),
  },
  {
    id: 'call_repeated',
    sites: (parts) =>
      callLines(parts)
        .filter((line) => !isBlock(line))
        .map((line) => {
          const text = parts.program.slice(line.from, line.to)
          return locateSite(line, replaceText(line, `${text}\n${line.indent}${text}`))
        }),
  },
  {
    id: 'calls_swapped',
    sites: ({ lines, program }) =>
      lines.flatMap((line, n) => {
        const next = lines[n + 1]
        const calls = [line, next].every(
          (one) => one && !isBlock(one) && one.tokens.some((_, at) => isApi(one.tokens, at)),
        )
        if (!next || !calls || next.indent !== line.indent) return []
        const [first, second] = [line, next].map(({ from, to }) => program.slice(from, to)) as [
          string,
          string,
        ]
        return [
          {
            number: line.number,
            edits: [
              { from: line.from, to: line.to, text: second },
              { from: next.from, to: next.to, text: first },
            ],
          },
        ]
      }),
  },
  {
    id: 'edit_dropped',
    sites: ({ lines }) =>
      lines
        .filter(
          ({ tokens }) =>
            tokens[0]?.kind === 'name' && tokens[1]?.text === '[' && tokens.some(({ text }) => text === '='),
        )
        .filter((line) => !line.tokens.some((_, n) => isApi(line.tokens, n)))
        .map((line) => locateSite(line, replaceText(line, 'pass'))),
  },
  {
    id: 'constant_changed',
    sites: ({ lines }) =>
      lines.flatMap((line) =>
        line.tokens.flatMap((token, n) =>
          isConstant(token) && !isSubscript(line.tokens, n) && line.tokens[n + 1]?.text !== ':'
            ? [locateSite(line, replaceText(token, createOtherConstant(token)))]
            : [],
        ),
      ),
  },
  {
    id: 'index_changed',
    sites: ({ lines }) =>
      lines.flatMap((line) =>
        line.tokens.flatMap((token, n) =>
          token.kind === 'number' && isSubscript(line.tokens, n)
            ? [locateSite(line, replaceText(token, createOtherConstant(token)))]
            : [],
        ),
      ),
  },
  {
    id: 'variable_changed',
    sites: ({ lines, variables }) => {
      const names = [...variables]
      return lines.flatMap((line) => {
        const sites = line.tokens.flatMap((token, n) => {
          if (token.kind !== 'name' || !isVariable(token.text) || (n === 0 && getAssignedName(line) !== null))
            return []
          const stem = getNameStem(token.text)
          return names
            .filter((name) => name !== token.text && getNameStem(name) === stem)
            .map((name) => locateSite(line, replaceText(token, name)))
        })
        const name = getAssignedName(line)
        if (name !== null && isVariable(name) && !names.includes(name)) names.push(name)
        return sites
      })
    },
  },
  {
    id: 'argument_dropped',
    sites: (parts) =>
      callLines(parts).flatMap((line) =>
        listKeywordValues(line).map((at) => locateSite(line, replaceText(at, ''))),
      ),
  },
  {
    id: 'condition_negated',
    sites: ({ lines }) =>
      lines.flatMap((line) =>
        line.tokens[0]?.text === 'if'
          ? line.tokens
              .filter(({ text }) => text === '==')
              .map((token) => locateSite(line, replaceText(token, '!=')))
          : [],
      ),
  },
  {
    id: 'result_changed',
    sites: ({ lines, variables }) => {
      const names = [...variables]
      return lines.flatMap((line) => {
        const name = getAssignedName(line)
        if (name !== null && isVariable(name)) names.push(name)
        const value = line.tokens[2]
        if (name !== 'RESULT' || !value) return []
        return [...new Set(names)]
          .filter((one) => one !== value.text)
          .map((one) => locateSite(line, replaceText({ from: value.from, to: line.to }, one)))
      })
    },
  },
  {
    id: 'result_emptied',
    sites: ({ lines }) =>
      lines.flatMap((line) =>
        getAssignedName(line) === 'RESULT' && line.tokens[2]
          ? [locateSite(line, replaceText({ from: line.tokens[2].from, to: line.to }, '{}'))]
          : [],
      ),
  },
]
export { operators }
export const operatorNames = operators.map(({ id }) => id)

/** `response_2_0` and `response_3` are of one kind, `user_variable_0_load` is of another. */
const getNameStem = (name: string) =>
  name
    .split('_')
    .filter((part) => !/^\d+$/.test(part))
    .join('_')
