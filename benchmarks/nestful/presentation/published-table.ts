/** Table 2 of the paper. Its pass rates are multiples of 1/82, although the part has 85 samples. */
import type { PublishedTables } from '@stateeval/program/presentation'

const models = [
  'xLAM-1b-fc-r',
  'Mistral-7B-Instruct-v0.3',
  'Hermes-2-Pro-Mistral-7B',
  'Granite-20B-FunctionCalling',
  'Mixtral-8x7b-Instruct-v01',
  'Llama-3-70b-Instruct',
]

export const published: PublishedTables = {
  tables: {
    '2 one-shot': {
      models,
      rows: {
        'non-executable: Partial sequence match': [0.2, 0.36, 0.06, 0.52, 0.46, 0.56],
        'non-executable: Full sequence match': [0.0, 0.04, 0.0, 0.26, 0.22, 0.29],
        'executable: Partial sequence match': [0.04, 0.02, 0.03, 0.1, 0.13, 0.21],
        'executable: Full sequence match': [0.0, 0.0, 0.0, 0.04, 0.04, 0.04],
        'executable: API execution pass rate, live (%)': [0.0, 0.0, 4.88, 15.85, 25.61, 35.37],
      },
    },
    '2 three-shot': {
      models,
      rows: {
        'non-executable: Partial sequence match': [0.24, 0.36, 0.13, 0.54, 0.51, 0.6],
        'non-executable: Full sequence match': [0.0, 0.0, 0.03, 0.3, 0.28, 0.34],
        'executable: Partial sequence match': [0.06, 0.03, 0.07, 0.18, 0.14, 0.25],
        'executable: Full sequence match': [0.0, 0.0, 0.02, 0.09, 0.06, 0.1],
        'executable: API execution pass rate, live (%)': [0.0, 0.0, 8.54, 15.85, 26.83, 41.46],
      },
    },
  },
}
