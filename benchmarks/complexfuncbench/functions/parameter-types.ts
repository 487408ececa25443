/** The 13 types of parameters of the paper's Table 4, by the parameter's name. */

export const parameterTypes = [
  'filter',
  'legs',
  'token',
  'slug',
  'date',
  'location',
  'key',
  'id',
  'time',
  'sort_by',
  'type',
  'age',
  'people',
] as const
type ParameterType = (typeof parameterTypes)[number]

/**
 * Parameters that no rule below finds. Table 4 has an example of each type; that the rest goes so is our
 * reading.
 */
const named: Readonly<Record<string, ParameterType>> = {
  categories_filter: 'filter',
  filter: 'filter',
  legs: 'legs',
  token: 'token',
  offerToken: 'token',
  slug: 'slug',
  search_key: 'key',
  query: 'location',
  location: 'location',
  country: 'location',
  city: 'location',
  search_type: 'type',
  type: 'type',
  sort: 'sort_by',
  sort_by: 'sort_by',
  sortBy: 'sort_by',
  sort_option_id: 'sort_by',
  adults: 'people',
  children: 'people',
  people: 'people',
  id: 'id',
  fromId: 'id',
  toId: 'id',
}
const endings: readonly (readonly [RegExp, ParameterType])[] = [
  [/date$/i, 'date'],
  [/time$/i, 'time'],
  [/(latitude|longitude)$/i, 'location'],
  [/_age$|^age$/i, 'age'],
  [/_id$/i, 'id'],
]

/** null: a parameter of none of the types, such as a currency or a page. */
export function getParameterType(name: string): ParameterType | null {
  if (Object.hasOwn(named, name)) return named[name]!
  return endings.find(([ending]) => ending.test(name))?.[1] ?? null
}
