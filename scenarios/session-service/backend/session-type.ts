import { isSessionType, type SessionType, sessionTypes } from '../types.ts'
import { Refusal } from './errors.ts'

/** The type of this exact spelling; else 400. */
export function sessionType(text: string): SessionType {
  if (isSessionType(text)) return text
  throw new Refusal(400, `valid types are: ${sessionTypes.join(', ')}`)
}
