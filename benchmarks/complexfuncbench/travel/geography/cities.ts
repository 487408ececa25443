/**
 * The cities of the travel world: where they lie, how one gets there, and what people go to see. Geography
 * doesn't depend on a seed.
 */

export interface CityFacts {
  name: string
  country: string
  /** ISO 3166 code, lower case. */
  countryCode: string
  region: string
  latitude: number
  longitude: number
  /** IATA code of the city. */
  code: string
  currency: string
  /** IATA code and name. */
  airports: readonly (readonly [code: string, name: string])[]
  landmarks: readonly string[]
}

const createCity = (
  [name, country, countryCode, region]: readonly [string, string, string, string],
  [latitude, longitude]: readonly [number, number],
  [code, currency]: readonly [string, string],
  airports: CityFacts['airports'],
  landmarks: CityFacts['landmarks'],
): CityFacts => ({
  name,
  country,
  countryCode,
  region,
  latitude,
  longitude,
  code,
  currency,
  airports,
  landmarks,
})

export const cities: readonly CityFacts[] = [
  createCity(
    ['Paris', 'France', 'fr', 'Ile de France'],
    [48.8566, 2.3522],
    ['PAR', 'EUR'],
    [
      ['CDG', 'Paris Charles de Gaulle Airport'],
      ['ORY', 'Paris Orly Airport'],
    ],
    ['Eiffel Tower', 'Louvre Museum', 'Gare de Lyon'],
  ),
  createCity(
    ['London', 'United Kingdom', 'gb', 'Greater London'],
    [51.5072, -0.1276],
    ['LON', 'GBP'],
    [
      ['LHR', 'London Heathrow Airport'],
      ['LGW', 'London Gatwick Airport'],
    ],
    ['Tower Bridge', 'British Museum', 'Hyde Park'],
  ),
  createCity(
    ['New York', 'United States', 'us', 'New York State'],
    [40.7128, -74.006],
    ['NYC', 'USD'],
    [
      ['JFK', 'John F. Kennedy International Airport'],
      ['LGA', 'LaGuardia Airport'],
    ],
    ['Times Square', 'Central Park', 'Empire State Building'],
  ),
  createCity(
    ['San Francisco', 'United States', 'us', 'California'],
    [37.7749, -122.4194],
    ['SFO', 'USD'],
    [['SFO', 'San Francisco International Airport']],
    ['Golden Gate Bridge', 'Union Square', 'Alcatraz Island'],
  ),
  createCity(
    ['San Diego', 'United States', 'us', 'California'],
    [32.7157, -117.1611],
    ['SAN', 'USD'],
    [['SAN', 'San Diego International Airport']],
    ['Balboa Park', 'La Jolla Cove', 'Gaslamp Quarter'],
  ),
  createCity(
    ['Miami', 'United States', 'us', 'Florida'],
    [25.7617, -80.1918],
    ['MIA', 'USD'],
    [['MIA', 'Miami International Airport']],
    ['South Beach', 'Wynwood Walls', 'Bayside Marketplace'],
  ),
  createCity(
    ['Chicago', 'United States', 'us', 'Illinois'],
    [41.8781, -87.6298],
    ['CHI', 'USD'],
    [
      ['ORD', 'Chicago O’Hare International Airport'],
      ['MDW', 'Chicago Midway International Airport'],
    ],
    ['Millennium Park', 'Navy Pier', 'Willis Tower'],
  ),
  createCity(
    ['Toronto', 'Canada', 'ca', 'Ontario'],
    [43.6532, -79.3832],
    ['YTO', 'CAD'],
    [['YYZ', 'Toronto Pearson International Airport']],
    ['CN Tower', 'Casa Loma', 'Distillery District'],
  ),
  createCity(
    ['Tokyo', 'Japan', 'jp', 'Tokyo-to'],
    [35.6762, 139.6503],
    ['TYO', 'JPY'],
    [
      ['NRT', 'Narita International Airport'],
      ['HND', 'Haneda Airport'],
    ],
    ['Tokyo Tower', 'Shibuya Crossing', 'Ueno Park'],
  ),
  createCity(
    ['Singapore', 'Singapore', 'sg', 'Central Singapore'],
    [1.3521, 103.8198],
    ['SIN', 'SGD'],
    [['SIN', 'Singapore Changi Airport']],
    ['Marina Bay Sands', 'Sentosa Island', 'Merlion Park'],
  ),
  createCity(
    ['Sydney', 'Australia', 'au', 'New South Wales'],
    [-33.8688, 151.2093],
    ['SYD', 'AUD'],
    [['SYD', 'Sydney Kingsford Smith Airport']],
    ['Sydney Opera House', 'Bondi Beach', 'Darling Harbour'],
  ),
  createCity(
    ['Melbourne', 'Australia', 'au', 'Victoria'],
    [-37.8136, 144.9631],
    ['MEL', 'AUD'],
    [
      ['MEL', 'Melbourne Airport'],
      ['AVV', 'Avalon Airport'],
    ],
    ['Fitzroy Gardens', 'Federation Square', 'Queen Victoria Market'],
  ),
  createCity(
    ['Rome', 'Italy', 'it', 'Lazio'],
    [41.9028, 12.4964],
    ['ROM', 'EUR'],
    [
      ['FCO', 'Rome Fiumicino Airport'],
      ['CIA', 'Rome Ciampino Airport'],
    ],
    ['Colosseum', 'Trevi Fountain', 'Spanish Steps'],
  ),
  createCity(
    ['Barcelona', 'Spain', 'es', 'Catalonia'],
    [41.3874, 2.1686],
    ['BCN', 'EUR'],
    [['BCN', 'Barcelona El Prat Airport']],
    ['Sagrada Familia', 'Park Guell', 'La Rambla'],
  ),
  createCity(
    ['Amsterdam', 'Netherlands', 'nl', 'Noord-Holland'],
    [52.3676, 4.9041],
    ['AMS', 'EUR'],
    [['AMS', 'Amsterdam Schiphol Airport']],
    ['Van Gogh Museum', 'Dam Square', 'Vondelpark'],
  ),
  createCity(
    ['Berlin', 'Germany', 'de', 'Brandenburg'],
    [52.52, 13.405],
    ['BER', 'EUR'],
    [['BER', 'Berlin Brandenburg Airport']],
    ['Brandenburg Gate', 'Alexanderplatz', 'Museum Island'],
  ),
  createCity(
    ['Munich', 'Germany', 'de', 'Bavaria'],
    [48.1351, 11.582],
    ['MUC', 'EUR'],
    [['MUC', 'Munich Airport']],
    ['Marienplatz', 'English Garden', 'Nymphenburg Palace'],
  ),
  createCity(
    ['Lisbon', 'Portugal', 'pt', 'Lisbon Region'],
    [38.7223, -9.1393],
    ['LIS', 'EUR'],
    [['LIS', 'Lisbon Humberto Delgado Airport']],
    ['Belem Tower', 'Rossio Square', 'Castelo de Sao Jorge'],
  ),
  createCity(
    ['Dubai', 'United Arab Emirates', 'ae', 'Dubai Emirate'],
    [25.2048, 55.2708],
    ['DXB', 'AED'],
    [['DXB', 'Dubai International Airport']],
    ['Burj Khalifa', 'Dubai Marina', 'Palm Jumeirah'],
  ),
  createCity(
    ['Vienna', 'Austria', 'at', 'Vienna State'],
    [48.2082, 16.3738],
    ['VIE', 'EUR'],
    [['VIE', 'Vienna International Airport']],
    ['Schonbrunn Palace', 'Prater Park', 'Vienna State Opera'],
  ),
  createCity(
    ['Zurich', 'Switzerland', 'ch', 'Canton of Zurich'],
    [47.3769, 8.5417],
    ['ZRH', 'CHF'],
    [['ZRH', 'Zurich Airport']],
    ['Bahnhofstrasse', 'Lindenhof Hill', 'Kunsthaus Zurich'],
  ),
  createCity(
    ['Los Angeles', 'United States', 'us', 'California'],
    [34.0522, -118.2437],
    ['LAX', 'USD'],
    [['LAX', 'Los Angeles International Airport']],
    ['Hollywood Walk of Fame', 'Griffith Observatory', 'Santa Monica Pier'],
  ),
]
