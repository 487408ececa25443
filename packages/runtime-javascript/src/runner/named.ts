/**
 * Bundling renames functions. A program that looks at the name of an error’s class must see axios's name.
 */
const names = [
  ...['Axios', 'AxiosError', 'AxiosHeaders', 'CancelToken', 'CanceledError'],
  ...['isAxiosError', 'isCancel', 'mergeConfig', 'spread', 'toFormData'],
] as const
const { defineProperty } = Object

/** Restores the names of axios's exports, at load, before code runs. */
export function restoreNames<T>(axios: T): T {
  const functions = axios as Record<string, unknown>
  for (const name of names) {
    const member = functions[name]
    if (typeof member === 'function' && member.name !== name)
      defineProperty(member, 'name', { value: name, configurable: true })
  }
  defineProperty(axios, 'name', { value: 'wrap', configurable: true })
  return axios
}
