/** Settings of the session service on its own. */
import {
  baseSettings,
  checkOpen,
  defineSettings,
  type ProcessEnvironment,
  openSetting,
  readSettings,
} from '@stateeval/service-kit'

const sessionServiceSettings = defineSettings({
  HOST: baseSettings.HOST,
  STATEEVAL_ACCESS: openSetting,
  PORT: {
    type: 'integer',
    default: 7410,
    min: 0,
    max: 65_535,
    doc: 'Port to listen on; 0 selects a free one',
  },
  LOG_LEVEL: baseSettings.LOG_LEVEL,
  MONGODB_URI: {
    type: 'url',
    default: 'mongodb://127.0.0.1:27017',
    secret: true,
    doc: 'MongoDB that keeps the sessions',
  },
  SESSIONS_DATABASE: {
    type: 'string',
    default: 'session_service',
    pattern: /^[A-Za-z0-9_-]{1,60}$/,
    doc: 'Database of the session service when it runs separately',
  },
})

/** Throws a SettingsError that names what to set. */
export function readConfig(env: ProcessEnvironment) {
  const values = readSettings(sessionServiceSettings, env)
  checkOpen(values.HOST, values.STATEEVAL_ACCESS)
  return {
    http: { host: values.HOST, port: values.PORT },
    log: { level: values.LOG_LEVEL },
    mongo: { uri: values.MONGODB_URI, database: values.SESSIONS_DATABASE },
  } as const
}
export type SessionServiceConfig = ReturnType<typeof readConfig>
