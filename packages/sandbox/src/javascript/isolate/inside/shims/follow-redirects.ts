/** The runner bails out on redirects. Other requests are plain requests. */
import transport from './http.ts'

export const http = transport
export const https = transport
export default { http, https }
