/** Attractions of a seed: the products of each city, and when they can be visited. */
import { createLabelRng, drawNumberId, roundDecimals, drawTextId } from '../draw.ts'
import { cities, type CityFacts } from '../geography/cities.ts'
import { splitPlaceWords } from '../geography/places.ts'
import { keepRecent } from '../recent.ts'

export interface AttractionProduct {
  id: string
  slug: string
  title: string
  city: CityFacts
  /** US dollars for one ticket. */
  price: number
  score: number
  reviews: number
  /** Share of visitors who look at it. */
  popularity: number
  minutes: number
  freeCancellation: boolean
}

const themes = [
  'Harry Potter',
  'Shakespeare',
  'Ballet',
  'Musical',
  'Christmas',
  'Star Wars',
  'Jazz',
  'Street Food',
]

function createProducts(seed: string, city: CityFacts): AttractionProduct[] {
  const rng = createLabelRng(seed, 'attractions', city.name)
  const titles = [
    ...city.landmarks.map(
      (landmark) => `${rng.pick(['Guided Tour of', 'Skip-the-Line Ticket to', 'Photo Walk at'])} ${landmark}`,
    ),
    ...rng.sample(themes, 4).map((theme) => `${theme} Experience in ${city.name}`),
    `Sightseeing Cruise in ${city.name}`,
  ]
  return titles.map((title) => {
    const code = drawTextId(seed, 10, 'product', city.name, title)
    const productRng = rng.fork(title)
    return {
      id: `PR${code}`,
      slug: `pr${code}-${splitPlaceWords(title).join('-')}`,
      title,
      city,
      price: roundDecimals(productRng.int(1200, 14_000) / 100),
      score: roundDecimals(productRng.int(340, 499) / 100),
      reviews: productRng.int(15, 5000),
      popularity: productRng.unit(),
      minutes: productRng.int(2, 16) * 30,
      freeCancellation: productRng.chance(0.6),
    }
  })
}

const inventory = keepRecent((seed: string) => {
  const products = cities.flatMap((city) => createProducts(seed, city))
  return {
    products: products.map((product) => ({
      product,
      words: new Set(splitPlaceWords(`${product.title} ${product.city.name} ${product.city.country}`)),
    })),
    bySlug: new Map(products.map((product) => [product.slug, product])),
    byId: new Map(products.map((product) => [product.id, product])),
    cities: new Map(cities.map((city) => [createDestinationId(seed, city), city])),
  }
})

/** Cities are numbered below zero, as in the live API. */
export const getCityNumber = (seed: string, city: CityFacts): number => -drawNumberId(seed, 'ufi', city.name)
export const createDestinationId = (seed: string, city: CityFacts): string =>
  Buffer.from(JSON.stringify({ ufi: getCityNumber(seed, city) })).toString('base64url')

export const listProducts = (seed: string, city: CityFacts): AttractionProduct[] =>
  inventory(seed).products.flatMap(({ product }) => (product.city === city ? [product] : []))
export const findProducts = (seed: string, query: string): AttractionProduct[] => {
  const words = splitPlaceWords(query)
  return words.length === 0
    ? []
    : inventory(seed).products.flatMap(({ product, words: productWords }) =>
        words.every((word) => productWords.has(word)) ? [product] : [],
      )
}
export const findProductBySlug = (seed: string, slug: string): AttractionProduct | null =>
  inventory(seed).bySlug.get(slug) ?? null
export const findProductById = (seed: string, id: string): AttractionProduct | null =>
  inventory(seed).byId.get(id) ?? null
export const findCityById = (seed: string, id: string): CityFacts | null =>
  inventory(seed).cities.get(id) ?? null

/** Hours at which a product can be visited on a day; none where it is shut. */
export function listProductSlots(
  seed: string,
  { id }: AttractionProduct,
  day: number,
): { hour: number; tickets: number }[] {
  const rng = createLabelRng(seed, 'slots', id, day)
  if (rng.chance(0.12)) return []
  return rng
    .sample([9, 10, 11, 12, 13, 14, 15, 16, 17], rng.int(2, 5))
    .sort((a, b) => a - b)
    .map((hour) => ({ hour, tickets: rng.int(6, 40) }))
}
