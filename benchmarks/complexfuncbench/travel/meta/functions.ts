/** Functions about nothing in particular: coordinates of places, currencies, languages. */
import type { JsonValue } from '@stateeval/contracts'
import { createLabelRng, roundDecimals, drawTextId } from '../draw.ts'
import {
  createSuccessAnswer,
  defineNeeded,
  refuseTravelCall,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { cities } from '../geography/cities.ts'
import { findPlaces, type TravelPlace } from '../geography/places.ts'

const kinds: Readonly<Record<TravelPlace['type'], string[]>> = {
  city: ['locality', 'political'],
  airport: ['airport', 'point_of_interest'],
  landmark: ['tourist_attraction', 'point_of_interest'],
}

const locationToLatLong: TravelFunction = {
  name: 'Location_to_Lat_Long',
  about: 'Gives latitude and longitude of a place or an address.',
  parameters: [defineNeeded('query', 'Name of the place, or its address.')],
  entries: [{ at: [], id: 'place_id' }],
  answer: ({ seed }, args) =>
    createSuccessAnswer(
      findPlaces(readTextArgument(args, 'query'), ['landmark', 'airport', 'city'])
        .slice(0, 5)
        .map(({ type, name, city, latitude, longitude }): JsonValue => {
          const corner = (by: number) => ({
            lat: roundDecimals(latitude + by, 6),
            lng: roundDecimals(longitude + by, 6),
          })
          const place = `ChIJ${drawTextId(seed, 23, 'geocode', type, city.name, name)}`
          return {
            business_status: 'OPERATIONAL',
            name,
            formatted_address: [
              ...(type === 'city' ? [] : [name]),
              city.name,
              city.region,
              city.country,
            ].join(', '),
            geometry: {
              location: { lat: latitude, lng: longitude },
              viewport: { northeast: corner(0.01), southwest: corner(-0.01) },
            },
            place_id: place,
            types: kinds[type],
            rating: roundDecimals(createLabelRng(seed, 'rating', place).int(30, 50) / 10, 1),
          }
        }),
    ),
}

/** US dollars for one unit. */
const currencies: Readonly<Record<string, { name: string; worth: number }>> = {
  USD: { name: 'U.S. dollar', worth: 1 },
  EUR: { name: 'Euro', worth: 1.08 },
  GBP: { name: 'Pound sterling', worth: 1.29 },
  CAD: { name: 'Canadian dollar', worth: 0.72 },
  AUD: { name: 'Australian dollar', worth: 0.66 },
  JPY: { name: 'Japanese yen', worth: 0.0066 },
  SGD: { name: 'Singapore dollar', worth: 0.76 },
  CHF: { name: 'Swiss franc', worth: 1.15 },
  AED: { name: 'Emirati dirham', worth: 0.27 },
}

const getExchangeRates: TravelFunction = {
  name: 'Get_Exchange_Rates',
  about: 'Gives what one unit of a currency is worth in the others.',
  parameters: [defineNeeded('base_currency', 'The currency as three letters, such as USD.')],
  answer(_, args) {
    const base = readTextArgument(args, 'base_currency')
    if (!Object.hasOwn(currencies, base))
      return refuseTravelCall(`base_currency must be one of ${Object.keys(currencies).join(', ')}`)
    const { worth } = currencies[base]!
    return createSuccessAnswer({
      base_currency: base,
      base_currency_date: '2024-11-01',
      exchange_rates: Object.entries(currencies).map(([currency, one]) => ({
        currency,
        exchange_rate_buy: roundDecimals(worth / one.worth, 6).toString(),
      })),
    })
  },
}

const getCurrency: TravelFunction = {
  name: 'Get_Currency',
  about: 'Gives the currencies in which prices are known.',
  parameters: [],
  answer: () =>
    createSuccessAnswer(
      Object.entries(currencies).map(([code, { name }]) => ({
        code,
        name,
        usedIn: cities.filter(({ currency }) => currency === code).map(({ name: city }) => city),
      })),
    ),
}

const getLanguages: TravelFunction = {
  name: 'Get_Languages',
  about: 'Gives the languages in which texts are available.',
  parameters: [],
  answer: () =>
    createSuccessAnswer([
      { name: 'English (US)', code: 'en-us' },
      { name: 'English (UK)', code: 'en-gb' },
    ]),
}

export const metaFunctions: readonly TravelFunction[] = [
  locationToLatLong,
  getExchangeRates,
  getCurrency,
  getLanguages,
]
