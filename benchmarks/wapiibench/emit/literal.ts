/** JSON values as JavaScript literals. */
export interface Literals {
  quote: "'" | '"'
  /** True if names that may stand bare do. */
  names: 'bare' | 'quoted'
  /** 0: all in one line. */
  indent: number
}
export const usual: Literals = { quote: "'", names: 'bare', indent: 2 }

export function literal(value: unknown, how: Literals = usual, depth = 0): string {
  if (typeof value === 'string') return text(value, how)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Array.isArray(value)
    ? value.map((one) => literal(one, how, depth + 1))
    : Object.entries(value).map(([name, one]) => `${key(name, how)}: ${literal(one, how, depth + 1)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return open + close
  if (how.indent === 0) return Array.isArray(value) ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`
  const pad = ' '.repeat(how.indent * (depth + 1))
  return `${open}\n${members.map((one) => pad + one).join(',\n')}\n${' '.repeat(how.indent * depth)}${close}`
}

const key = (name: string, how: Literals) =>
  how.names === 'bare' && /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__'
    ? name
    : name === '__proto__'
      ? `[${text(name, how)}]`
      : text(name, how)

function text(value: string, { quote }: Literals): string {
  const json = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return quote === '"' ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
