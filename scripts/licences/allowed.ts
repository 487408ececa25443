/** Which licences go together with Apache-2.0, and whether an SPDX expression is one of them. */

/**
 * Permissive ones, and MPL-2.0, which binds its own files only: they may be part of what is shipped,
 * unchanged.
 */
export const shippedLicences: ReadonlySet<string> = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MPL-2.0',
    'PSF-2.0',
  ],
  'Unlicense',
])

/**
 * Tools of development are in no image and no package: data under CC-BY and Python's own licence are fine
 * there, too.
 */
export const toolLicences: ReadonlySet<string> = new Set([...shippedLicences, 'CC-BY-4.0', 'Python-2.0'])

/**
 * Tells whether allowed licences alone can meet an SPDX expression: one side of each OR, both sides of each
 * AND. AND binds more tightly. Text that is no expression (or has an exception, WITH) is not allowed.
 */
export function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const tokens = expression.replaceAll('(', ' ( ').replaceAll(')', ' ) ').trim().split(/\s+/)
  const take = (token: string) => tokens[0] === token && tokens.shift() !== undefined
  let isExpression = true
  function one(): boolean {
    if (take('(')) {
      const inner = either()
      isExpression &&= take(')')
      return inner
    }
    const licence = tokens.shift()
    isExpression &&= licence !== undefined
    return allowed.has(licence ?? '')
  }
  function both(): boolean {
    let all = one()
    while (take('AND')) all = one() && all
    return all
  }
  function either(): boolean {
    let any = both()
    while (take('OR')) any = both() || any
    return any
  }
  return either() && isExpression && tokens.length === 0
}
