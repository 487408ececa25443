/**
 * The hosts of version 1's executable APIs. One that is declared under its name in STATEEVAL_LIVE_APIS_FILE
 * is called.
 */
export const hosts = [
  'alpha-vantage.p.rapidapi.com',
  'ciphercircuit-math-assistant.p.rapidapi.com',
  'coronavirus-smartable.p.rapidapi.com',
  'country-codes3.p.rapidapi.com',
  'goodreads12.p.rapidapi.com',
  'instagram-scraper-api2.p.rapidapi.com',
  'last10k-company-v1.p.rapidapi.com',
  'local-business-data.p.rapidapi.com',
  'newsapi90.p.rapidapi.com',
  'real-time-product-search.p.rapidapi.com',
  'reddit34.p.rapidapi.com',
  'sky-scrapper.p.rapidapi.com',
  'spotify-scraper.p.rapidapi.com',
  'tripadvisor16.p.rapidapi.com',
  'weatherapi-com.p.rapidapi.com',
] as const
