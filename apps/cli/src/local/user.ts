/** The user of this command. */
import { userInfo } from 'node:os'

/** A user without an entry in passwd, as in many containers, has a number only. */
export function getUserName(): string {
  try {
    return userInfo().username
  } catch {
    return process.env.USER || `uid ${process.getuid?.()}`
  }
}
