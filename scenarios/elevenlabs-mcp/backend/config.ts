/** Settings of the MCP server on its own. */
import {
  baseSettings,
  checkOpen,
  defineSettings,
  type ProcessEnvironment,
  openSetting,
  readSettings,
} from '@stateeval/service-kit'

const elevenLabsMcpSettings = defineSettings({
  HOST: baseSettings.HOST,
  STATEEVAL_ACCESS: openSetting,
  PORT: {
    type: 'integer',
    default: 7411,
    min: 0,
    max: 65_535,
    doc: 'Port to listen on; 0 selects a free one',
  },
  MCP_TRANSPORT: {
    type: 'string',
    default: 'http',
    choices: ['http', 'stdio'],
    doc: 'Transport for MCP clients: http (streamable HTTP, a studio for each session) or stdio (one client, on standard input and output)',
  },
})

/** Throws a SettingsError that names what to set. */
export function readConfig(env: ProcessEnvironment) {
  const values = readSettings(elevenLabsMcpSettings, env)
  if (values.MCP_TRANSPORT === 'http') checkOpen(values.HOST, values.STATEEVAL_ACCESS)
  return {
    transport: values.MCP_TRANSPORT as 'http' | 'stdio',
    http: { host: values.HOST, port: values.PORT },
  } as const
}
export type ElevenLabsMcpConfig = ReturnType<typeof readConfig>
