/** Reading what the agents say. */

/** The evaluator's decision (section III-E): valid, not sayable at all, or a diagnosis with suggestions. */
export type Decision = { kind: 'ok' } | { kind: 'impossible'; because: string } | { kind: 'diagnosis'; says: string }

const withoutThoughts = (text: string) => {
  const end = text.lastIndexOf('</think>')
  if (end >= 0) return text.slice(end + '</think>'.length)
  return /^\s*<think>/.test(text) ? '' : text
}

/** A mark counts where it stands alone: at the beginning, at the end or on a line of its own. With both there is none. */
function marked(text: string, mark: string): boolean {
  const plain = text.replace(/[*_`"'.!]/g, '').trim()
  return plain.split('\n').some((line) => line.trim() === mark) || plain.startsWith(mark) || plain.endsWith(mark)
}

export function decisionOf(answer: string): Decision {
  const text = withoutThoughts(answer).trim()
  const ok = marked(text, '<OK>')
  const impossible = marked(text, '<IMPOSSIBLE>')
  if (ok && !impossible) return { kind: 'ok' }
  if (impossible && !ok) return { kind: 'impossible', because: text.replaceAll('<IMPOSSIBLE>', '').trim() || 'no reason was given' }
  return { kind: 'diagnosis', says: text || 'no decision was given; read the requirements again' }
}

/** The instruction in the generator's answer: without thoughts, a heading, and a fence or quotes around all of it. */
export function instructionOf(answer: string): string {
  let text = withoutThoughts(answer).trim()
  const fenced = /^```[a-z]*\n([\s\S]*?)\n?```$/.exec(text)
  if (fenced) text = (fenced[1] as string).trim()
  text = text.replace(/^(?:#+\s*)?(?:\*\*)?(?:revised\s+)?instruction(?:\*\*)?\s*:?(?:\*\*)?\s*\n+/i, '').trim()
  const quoted = /^"([^"]*)"$/.exec(text)
  return quoted ? (quoted[1] as string).trim() : text
}
