import { isSessionType, type SessionType, sessionTypes } from '../types.ts'
import { RequestRefusal } from './errors.ts'

/** The type of this exact spelling; else 400. */
export function parseSessionType(text: string): SessionType {
  if (isSessionType(text)) return text
  throw new RequestRefusal(400, `valid types are: ${sessionTypes.join(', ')}`)
}
