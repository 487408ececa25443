/** The head of the contract. */
export const info = {
  openapi: '3.1.0',
  info: {
    title: 'Session service',
    version: '1.0.0',
    description:
      'Stores sessions: JSON documents by source and type, deduplicated by content. Behaves as cBioPortal’s session-service 0.5 does. A trailing slash is accepted everywhere, HEAD works where GET does. Errors are {timestamp, status, error, path}.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: 'http://127.0.0.1:7410', description: 'npx stateeval serve session-service' }],
  // Upstream's is off by default; where it is exposed, a gateway in front of it decides who may call.
  security: [],
  tags: [{ name: 'sessions', description: 'Sessions of a source and type' }],
}
