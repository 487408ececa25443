/**
 * Writes openapi/session-service.yaml from the routes of the session service. A test holds the file to them.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { openApiOfSessionService } from '../scenarios/session-service/backend/openapi.ts'

const sessionServiceContract = join(import.meta.dirname, '../openapi/session-service.yaml')

/** The text that the file must have. */
const sessionServiceContractText = async () =>
  `# Generated from scenarios/session-service/backend by scripts/openapi-session-service.ts\n${stringify(await openApiOfSessionService(), { lineWidth: 120, aliasDuplicateObjects: false })}`

if (import.meta.main) writeFileSync(sessionServiceContract, await sessionServiceContractText())
