/** Errors that the code threw by itself, with no request to blame. */
import { isEmptyBefore } from './arguments.ts'
import type { ObservedCall } from './observed.ts'
import { createCause, type RootCauseEvidence, type RootCauseSituation } from './situation.ts'
import { formatSteady } from './texts.ts'

interface ThrownError {
  name: string
  message: string
  line?: number
}

/** A name that is not there: decides whatever else there is. */
export function explainUnknownName({ name, message }: ThrownError): RootCauseEvidence | null {
  const module =
    /Cannot find (?:module|package)|No module named|may not be (?:imported|required)|is not allowed/.test(
      message,
    )
  if (!module && name !== 'ReferenceError' && name !== 'NameError') return null
  return createCause(
    'instruction_not_followed',
    'unknown_name',
    `the code uses an undefined name: ${formatSteady(message)}`,
  )
}

/** Shapes, sizes and types of values that only the calls before determine (StateEval, Example 3). */
const shapes =
  /shapes? cannot be multiplied|size of tensor|must match|shape '?\[|invalid for input of size|[Ee]xpected \d+D|dimension|out of (?:range|bounds)|same number of dimensions|expected scalar type|modality|not (?:an )?audio/

/** A part of a value that is not there, or a value of another kind. */
export function explainMissingPart(
  error: ThrownError,
  { code, branching }: Pick<RootCauseSituation, 'code' | 'branching'>,
  before: readonly ObservedCall[],
): RootCauseEvidence | null {
  const { name, message } = error
  const line = error.line === undefined ? '' : (code?.split('\n')[error.line - 1] ?? '')
  const says = formatSteady(`${message}${line.trim() ? ` at \`${line.trim().slice(0, 120)}\`` : ''}`)
  if (/^(?:list|tuple) index out of range/.test(message)) {
    const indices = [...line.matchAll(/\[(-?\d+)\]/g)].map(([, index]) => Number(index))
    return explainMissingElement(says, { line, indices, branching, empty: isEmptyBefore(before) })
  }
  if (shapes.test(message))
    return createCause(
      'implicit_state_mismanaged',
      'wrong_shape',
      `a value has another shape than the code expects: ${formatSteady(message)}`,
    )
  if (!['TypeError', 'KeyError', 'IndexError', 'AttributeError'].includes(name)) return null
  const property = /reading '([^']*)'|property '([^']*)'|attribute '([^']*)'|^'?(\w+)'?$/
    .exec(message)
    ?.slice(1)
    .find(Boolean)
  const access = property === undefined ? undefined : findReadCause(line, property, code ?? '')
  const more = property === undefined ? {} : { argument: property }
  if (before.length === 0 || access?.of === 'variable')
    return createCause(
      'instruction_not_followed',
      'other_arguments',
      `the code reads a part that the given variables do not have: ${says}`,
      more,
    )
  if (isEmptyBefore(before))
    return explainMissingElement(says, { line, indices: [], branching, empty: true }, more)
  if (access?.of === 'element') {
    const { index } = access
    const lists = before.flatMap(({ answer }) => (Array.isArray(answer) ? [answer.length] : []))
    if (lists.some((length) => index === undefined || index >= length))
      return explainMissingElement(
        says,
        { line, indices: index === undefined ? [] : [index], branching, empty: false },
        more,
      )
  }
  return createCause(
    'documentation_misread',
    'unknown_property',
    `the code reads a part that the answer does not have: ${says}`,
    more,
  )
}

/**
 * An element that a list doesn't have. Which element an if looks at is said by the instruction; how long
 * lists are, only by what was answered.
 */
function explainMissingElement(
  says: string,
  {
    line,
    indices,
    branching,
    empty,
  }: { line: string; indices: readonly number[]; empty: boolean } & Pick<RootCauseSituation, 'branching'>,
  more: { argument?: string } = {},
): RootCauseEvidence {
  if (empty)
    return createCause(
      'implicit_state_mismanaged',
      'empty_result',
      `the code expects an element of an answer that is empty: ${says}`,
      more,
    )
  const isCondition = /^\s*(?:\}\s*)?(?:else\s+)?(?:if|elif)\b/.test(line)
  if (isCondition && branching && indices.some((index) => !branching.conditionPath.includes(index)))
    return createCause(
      'instruction_not_followed',
      'wrong_branch',
      `the condition is on another element than the instruction says: ${says}`,
      more,
    )
  return createCause(
    'implicit_state_mismanaged',
    'empty_result',
    `the code expects more elements than the answer has: ${says}`,
    more,
  )
}

/**
 * Finds the cause where the code read a property of a wrong value: a given variable, an element of a list, or
 * a property of an answer.
 */
function findReadCause(
  line: string,
  property: string,
  code: string,
): { of: 'variable' | 'element' | 'property'; index?: number } | undefined {
  const escapedProperty = property.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const chain = new RegExp(
    `([A-Za-z_$][\\w$]*)((?:\\??\\.[\\w$]+|\\[[^\\]]*\\]|\\([^()]*\\))*)\\??\\.?(?:\\.${escapedProperty}\\b|\\[['"]?${escapedProperty}['"]?\\])`,
    'g',
  )
  // Texts hold paths too; a given variable by itself is never undefined.
  const places = [
    ...line
      .slice(0, longestLine)
      .replace(/'[^'\n]*'|"[^"\n]*"/g, "''")
      .matchAll(chain),
  ].map(([, base = '', rest = '']) => ({ base, rest }))
  const place = places.find(({ base, rest }) => rest !== '' || !isGiven(base))
  if (!place) return undefined
  const { base, rest } = place
  if (isGiven(base)) return { of: 'variable' }
  const index = getLastIndex(rest)
  if (index !== undefined) return { of: 'element', ...(/^\d+$/.test(index) && { index: Number(index) }) }
  // const first = sessions[0]; … first.id, or sessions.find(…).id
  const origin = rest === '' ? findOrigin(base, code) : null
  if (origin) return { of: 'element', ...(origin[1] !== undefined && { index: Number(origin[1]) }) }
  if (/\.(?:find|at|pop|shift)\([^()]*\)$/.test(rest)) return { of: 'element' }
  return { of: 'property' }
}

/** Nobody writes longer lines; looking for chains and calls in them would take for ever. */
const longestLine = 1000

/**
 * Finds the origin of a name: an element of a list by its index, or one that was looked for; null where it is
 * something else.
 */
function findOrigin(name: string, code: string): RegExpExecArray | null {
  const assignment = new RegExp(`\\b${name.replaceAll('$', '\\$')}\\s*=\\s*`, 'g')
  for (const { index, 0: head } of code.matchAll(assignment)) {
    const from = index + head.length
    const end = code.indexOf('\n', from)
    const value = code.slice(from, end < 0 ? code.length : end)
    if (value.length > longestLine) continue
    const match = /^[^=;]*?(?:\[(\d+)\]|\.(?:find|at|pop|shift)\(.*\))$/.exec(
      value.trim().replace(/;$/, '').trimEnd(),
    )
    if (match) return match
  }
  return null
}

/** Extracts the text in the brackets that a chain ends with, unless it is a text. */
function getLastIndex(chain: string): string | undefined {
  if (!chain.endsWith(']')) return undefined
  const body = chain.slice(0, -1)
  const tail = body.slice(Math.max(body.lastIndexOf(']'), body.lastIndexOf("'"), body.lastIndexOf('"')) + 1)
  const open = tail.indexOf('[')
  return open < 0 || open + 1 === tail.length ? undefined : tail.slice(open + 1)
}
const isGiven = (name: string) => /^user_(?:variable|constant|tensor|weight)_\d+$/.test(name)
