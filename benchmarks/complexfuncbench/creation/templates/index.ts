/** The template samples: self-written, over the five domains of the paper. */
import type { SampleTemplate } from '../template.ts'
import { attractionTemplates } from './attractions.ts'
import { carTemplates } from './cars.ts'
import { crossTemplates } from './cross.ts'
import { flightTemplates } from './flights.ts'
import { hotelTemplates } from './hotels.ts'

export const templates: readonly SampleTemplate[] = [
  ...hotelTemplates,
  ...flightTemplates,
  ...carTemplates,
  ...attractionTemplates,
  ...crossTemplates,
]
