/**
 * Settings pass through three steps: names in the environment → flat typed values → a nested frozen config
 * (each service's config.ts). Every variable is declared once, with its documentation;
 * docs/configuration.md is generated from the declarations.
 */
type SettingKind = 'string' | 'integer' | 'boolean' | 'url' | 'list'
type SettingTypes = {
  string: string
  integer: number
  boolean: boolean
  url: string
  list: readonly string[]
}

export interface ServiceSetting {
  type: SettingKind
  /** One sentence: what it does, with its unit. */
  doc: string
  /** Used when the variable is not set. Neither default nor optional: it must be set. */
  default?: string | number | boolean | readonly string[]
  optional?: true
  /** Never shown in documentation, messages or logs. */
  secret?: true
  pattern?: RegExp
  min?: number
  max?: number
  choices?: readonly string[]
}
export type ServiceSettings = Record<string, ServiceSetting>
export type ProcessEnvironment = Record<string, string | undefined>
export type SettingValues<T extends ServiceSettings> = {
  readonly [K in keyof T]: T[K] extends { optional: true }
    ? SettingTypes[T[K]['type']] | undefined
    : SettingTypes[T[K]['type']]
}

/** Keeps literal types while checking the shape. */
export const defineSettings = <const T extends ServiceSettings>(settings: T): T => settings

/** The environment is invalid. The message names every faulty variable with a remedy. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`the environment has invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/**
 * Names → flat typed values. Empty variables count as not set. Throws a SettingsError that lists all faults
 * at once.
 */
export function readSettings<const T extends ServiceSettings>(
  settings: T,
  env: ProcessEnvironment,
): SettingValues<T> {
  const faults: string[] = []
  const entries = Object.entries(settings).map(([name, setting]) => {
    const text = env[name]?.trim()
    if (text === undefined || text === '') {
      if (setting.default === undefined && !setting.optional)
        faults.push(`${name} is not set: ${setting.doc}`)
      return [name, setting.default]
    }
    const reading = parse(setting, text)
    if ('fault' in reading) faults.push(`${name}${setting.secret ? '' : `=${text}`}: ${reading.fault}`)
    return [name, 'value' in reading ? reading.value : undefined]
  })
  if (faults.length > 0) throw new SettingsError(faults)
  return Object.freeze(Object.fromEntries(entries)) as SettingValues<T>
}

/**
 * The value that a config derives from its settings. Each line of an error is a fault of the environment.
 */
export function readFromSettings<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new SettingsError((error instanceof Error ? error.message : String(error)).split('\n'))
  }
}

type ParsedSetting = { value: string | number | boolean | readonly string[] } | { fault: string }

function parse(setting: ServiceSetting, text: string): ParsedSetting {
  switch (setting.type) {
    case 'integer': {
      const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = setting
      const value = Number(text)
      const range = setting.max === undefined ? `of at least ${min}` : `between ${min} and ${max}`
      if (!/^-?\d+$/.test(text) || value < min || value > max) {
        return {
          fault:
            setting.min === undefined && setting.max === undefined
              ? 'set a whole number'
              : `set a whole number ${range}`,
        }
      }
      return { value }
    }
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'set true or false' }
    case 'list':
      return {
        value: text
          .split(',')
          .map((item) => item.trim())
          .filter(Boolean),
      }
    case 'url':
      // Several servers may stand in one MongoDB or NATS address, which is no URL to the parser.
      return /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i.test(text)
        ? { value: text }
        : { fault: 'set an address such as scheme://host:port' }
    case 'string':
      if (setting.choices && !setting.choices.includes(text))
        return { fault: `set one of ${setting.choices.join(', ')}` }
      if (setting.pattern && !setting.pattern.test(text))
        return { fault: `set a value of the form ${setting.pattern.source}` }
      return { value: text }
  }
}

/** Freezes a config and everything in it. */
export function freezeConfig<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freezeConfig(part)
  }
  return value
}
