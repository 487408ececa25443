/** Headers of pages for browsers: nothing comes from elsewhere, and no other site frames or opens a page. */

/** Nothing in a page runs or restyles it but its own files. */
const sources = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]
/** Nor does any text become HTML or a script. */
const trustedTypes = ["require-trusted-types-for 'script'", "trusted-types 'none'"]

const others = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
} as const

/** Headers of the dashboard. */
export const pageHeaders = {
  'content-security-policy': [...sources, ...trustedTypes].join('; '),
  'cache-control': 'no-cache',
  ...others,
} as const

/** Headers of the description of the API, whose viewer makes HTML of the descriptions. */
export const documentationHeaders = { 'content-security-policy': sources.join('; '), ...others } as const
