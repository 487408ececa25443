/** From what a model answered to the file that the published evaluator would execute a part of. */
import type { PromptLayout } from '../prompt/prompt.ts'

const roleMarker = /(?:Assistant|Response):/

/** @param answer without the prompt; where it repeats the starter code, that is seen. */
export function buildCodeFile(answer: string, starter: string, layout: PromptLayout): string {
  const file =
    layout === 'chat'
      ? extractChatCode(answer, starter)
      : layout === 'base'
        ? extractBaseCode(answer, starter)
        : extractInstructCode(answer, starter)
  return file.endsWith('```\n') ? file.slice(0, -1) : file
}

function extractBaseCode(answer: string, starter: string): string {
  const at = answer.lastIndexOf(starter)
  return at < 0 ? starter + answer : answer.slice(at)
}

function extractChatCode(answer: string, starter: string): string {
  const at = answer.indexOf('axios.')
  if (at < 0) return starter + answer.replace(/^```javascript\n/, '')
  return starter.slice(0, starter.lastIndexOf('\n') + 1) + answer.slice(at)
}

function extractInstructCode(answer: string, starter: string): string {
  const whole = answer.includes(starter) ? answer.slice(answer.indexOf(starter)) : starter + answer
  const last = starter.slice(starter.lastIndexOf('\n') + 1)
  const first = whole.indexOf(last)
  const second = whole.indexOf(last, first + last.length)
  if (second < 0) return removeRoleMarkers(whole)
  return whole.slice(0, first) + whole.slice(second)
}

/**
 * Without the first role marker, the #'s before it and the blanks around; by hand, so that long runs of
 * blanks cost nothing.
 */
function removeRoleMarkers(text: string): string {
  const match = roleMarker.exec(text)
  if (!match) return text
  const isBlank = (at: number) => text[at] !== undefined && text[at].trim() === ''
  let from = match.index
  while (isBlank(from - 1)) from--
  while (text[from - 1] === '#') from--
  while (isBlank(from - 1)) from--
  let to = match.index + match[0].length
  while (isBlank(to)) to++
  return text.slice(0, from) + text.slice(to)
}
