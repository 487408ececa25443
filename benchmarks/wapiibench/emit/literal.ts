/** JSON values as JavaScript literals. */
export interface LiteralStyle {
  quote: "'" | '"'
  /** Style of names that need no quotes. */
  names: 'bare' | 'quoted'
  /** 0: all in one line. */
  indent: number
}
export const usual: LiteralStyle = { quote: "'", names: 'bare', indent: 2 }

export function emitLiteral(value: unknown, how: LiteralStyle = usual, depth = 0): string {
  if (typeof value === 'string') return emitLiteralText(value, how)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Array.isArray(value)
    ? value.map((one) => emitLiteral(one, how, depth + 1))
    : Object.entries(value).map(
        ([name, one]) => `${emitLiteralKey(name, how)}: ${emitLiteral(one, how, depth + 1)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return open + close
  if (how.indent === 0) return Array.isArray(value) ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`
  const pad = ' '.repeat(how.indent * (depth + 1))
  return `${open}\n${members.map((one) => pad + one).join(',\n')}\n${' '.repeat(how.indent * depth)}${close}`
}

const emitLiteralKey = (name: string, how: LiteralStyle) =>
  how.names === 'bare' && /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__'
    ? name
    : name === '__proto__'
      ? `[${emitLiteralText(name, how)}]`
      : emitLiteralText(name, how)

function emitLiteralText(value: string, { quote }: LiteralStyle): string {
  const json = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return quote === '"' ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
