/** An episode of the benchmark of examples: opened, answered, scored. */
import type { EpisodeRequest, EpisodeResource, EpisodeStep, EpisodeTurn } from '../evaluation/index.ts'

const id = 'ep_0mwrxttlp1d0b3fb3c1'
const self = `/v1/episodes/${id}`

export const exampleEpisodeRequest: EpisodeRequest = {
  benchmark: 'bm_d60fce3e45aa6686b06',
  seed: 7,
  prompting: 'direct',
}

export const firstTurn: EpisodeTurn = {
  episode: id,
  step: 0,
  done: false,
  conversation: 0,
  messages: [
    { role: 'system', content: 'You write programs that call APIs.' },
    { role: 'user', content: 'List the settings of web, and return how many there are as count.' },
  ],
}

export const exampleEpisode: EpisodeResource = {
  id,
  status: 'open',
  benchmark: 'bm_d60fce3e45aa6686b06',
  case: 'c_6c1d0e2f',
  createdAt: '2026-11-24T10:12:30.114Z',
  expiresAt: '2026-11-24T10:27:30.114Z',
  turn: firstTurn,
  links: {
    self,
    steps: `${self}/steps`,
    renew: `${self}/renew`,
    benchmark: '/v1/benchmarks/bm_d60fce3e45aa6686b06',
  },
}

export const exampleEpisodeStep: EpisodeStep = {
  step: 1,
  reply: {
    text: "```javascript\nconst { data } = await axios.get(BASE_URL + '/api/sessions/web/settings')\nRESULT = { count: data.length }\n```",
  },
}

export const lastTurn: EpisodeTurn = {
  episode: id,
  step: 1,
  done: true,
  messages: [],
  reward: 1,
  score: { passed: true, verdict: 'passed', metrics: {}, evidence: { differences: [] } },
}
