/** Search parameters of a view, which anyone may have written. */

type Search = Readonly<Record<string, unknown>>
type Held<Name extends string, Value> = { [K in Name]?: Value }

/** A parameter that is a text or a number; undefined if it is absent or empty. */
export function textOf<Name extends string>(search: Search, name: Name): Held<Name, string> {
  const value = search[name]
  const text = typeof value === 'number' ? String(value) : value
  return (typeof text === 'string' && text !== '' ? { [name]: text } : {}) as Held<Name, string>
}

/** A parameter that is one of these. */
export function choiceOf<Name extends string, Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): Held<Name, Value> {
  const value = values.find((one) => one === search[name])
  return (value === undefined ? {} : { [name]: value }) as Held<Name, Value>
}

/** A whole number from 0. */
export function numberOf<Name extends string>(search: Search, name: Name): Held<Name, number> {
  const value = Number(search[name] ?? NaN)
  return (Number.isSafeInteger(value) && value >= 0 ? { [name]: value } : {}) as Held<Name, number>
}

/** The statuses of reviews. */
export const reviewStatuses = ['verified', 'rejected', 'needs_review'] as const

/** A list of texts; other values are dropped. */
export function textsOf<Name extends string>(search: Search, name: Name): Held<Name, string[]> {
  const value = search[name]
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  return (texts.length > 0 ? { [name]: texts } : {}) as Held<Name, string[]>
}
