/** Translations: immediate, and as a job. */
import type { Translation } from '../translation.ts'

export const exampleTranslation: Translation = {
  id: 'trl_0mwrxtt0w4c39a4b712',
  status: 'succeeded',
  progress: { done: 1, total: 1, phase: 'translate' },
  translator: 'template',
  seed: 1,
  versions: { template: '1', 'session-service': '1' },
  translations: [
    {
      program: 'b7e6e072e94ed3282ccda1320fd7b00f5831f02bc7708258ed808c569c4cee6b',
      status: 'verified',
      instruction:
        '1. List the sessions with the source and type of `user_variable_0`.\n2. Set RESULT to an object whose only key, `listing`, holds that listing.',
      readings: 1,
    },
  ],
  createdAt: '2026-11-22T14:34:09.606Z',
  finishedAt: '2026-11-22T14:34:09.645Z',
  links: { self: '/v1/translations/trl_0mwrxtt0w4c39a4b712' },
}

export const queuedTranslation: Translation = {
  id: 'trl_0mwrxu37yf2b19536bd',
  status: 'queued',
  progress: { done: 0, total: 21, phase: 'translate' },
  translator: 'template',
  seed: 1,
  versions: { template: '1', 'session-service': '1' },
  translations: [],
  createdAt: '2026-11-22T14:34:23.067Z',
  links: { self: '/v1/translations/trl_0mwrxu37yf2b19536bd' },
}
