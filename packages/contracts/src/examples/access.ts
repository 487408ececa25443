import type { ApiKey, Project } from '../access-resources.ts'

export const exampleKey: ApiKey = {
  id: 'mkf4j2q10a7c1f2b',
  name: 'nightly-ci',
  project: 'default',
  scopes: ['run'],
  status: 'active',
  createdAt: '2026-01-05T10:00:00.000Z',
  createdBy: 'admin-key',
  expiresAt: '2026-04-05T10:00:00.000Z',
  links: { self: '/v1/keys/mkf4j2q10a7c1f2b' },
}

export const exampleProject: Project = {
  id: 'speech-team',
  name: 'Speech team',
  createdAt: '2026-01-05T10:00:00.000Z',
  links: { self: '/v1/projects/speech-team' },
}
