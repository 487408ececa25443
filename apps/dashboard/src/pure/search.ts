/** Search parameters of a view, which anyone may have written. */

type SearchParameters = Readonly<Record<string, unknown>>
type HeldParameter<Name extends string, Value> = { [K in Name]?: Value }

/** A parameter that is a text or a number; undefined if it is absent or empty. */
export function readSearchText<Name extends string>(
  search: SearchParameters,
  name: Name,
): HeldParameter<Name, string> {
  const value = search[name]
  const text = typeof value === 'number' ? String(value) : value
  return (typeof text === 'string' && text !== '' ? { [name]: text } : {}) as HeldParameter<Name, string>
}

/** A parameter that is one of these. */
export function readChoice<Name extends string, Value extends string>(
  search: SearchParameters,
  name: Name,
  values: readonly Value[],
): HeldParameter<Name, Value> {
  const value = values.find((one) => one === search[name])
  return (value === undefined ? {} : { [name]: value }) as HeldParameter<Name, Value>
}

/** A whole number from 0. */
export function readWholeNumber<Name extends string>(
  search: SearchParameters,
  name: Name,
): HeldParameter<Name, number> {
  const value = Number(search[name] ?? NaN)
  return (Number.isSafeInteger(value) && value >= 0 ? { [name]: value } : {}) as HeldParameter<Name, number>
}

/** The statuses of reviews. */
export const reviewStatuses = ['verified', 'rejected', 'needs_review'] as const

/** A list of texts; other values are dropped. */
export function readTextList<Name extends string>(
  search: SearchParameters,
  name: Name,
): HeldParameter<Name, string[]> {
  const value = search[name]
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  return (texts.length > 0 ? { [name]: texts } : {}) as HeldParameter<Name, string[]>
}
