/** Faults of a TLS connection by their codes, with the remedy of each. */

const unknownAuthority =
  'has a certificate of an unknown authority. Put the certificate of that authority (a self-signed one: itself) into a PEM file, set STATEEVAL_EXTRA_CA_CERTS to that file (NODE_EXTRA_CA_CERTS for services that you start yourself), and restart them (npx stateeval up)'
export const withoutTls = 'answers without TLS: write http:// in baseUrl, or correct its port'

/** Codes of nodejs.org/api/tls.html, “X509 certificate error codes”. */
const certificateFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_UNTRUSTED: unknownAuthority,
  CERT_HAS_EXPIRED: 'has a certificate that has expired; renew it',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet; check the clocks of both machines',
  CERT_REVOKED: 'has a certificate that was revoked; renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate for other names; write one of its names in baseUrl, or renew it for this one',
  HOSTNAME_MISMATCH:
    'has a certificate for other names; write one of its names in baseUrl, or renew it for this one',
}
const sayings: Readonly<Record<string, string>> = {
  ...certificateFaults,
  ERR_SSL_WRONG_VERSION_NUMBER: withoutTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: withoutTls,
  ERR_SSL_HTTP_REQUEST: withoutTls,
}

/** Tells whether an error says that a port speaks TLS, with a certificate that is not accepted. */
export const isCertificateFault = (code: string): boolean => Object.hasOwn(certificateFaults, code)

/** Describes the TLS fault of a base URL by an error’s code; null if the code is of something else. */
export function describeTlsFault(code: string, baseUrl: string): string | null {
  const saying = Object.hasOwn(sayings, code) ? sayings[code] : undefined
  return saying === undefined ? null : `${baseUrl} ${saying} (${code})`
}
