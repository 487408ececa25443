/** Tells whether a query asks for the answer of a function: words that such queries have, by function. */
const about = 'detail|info|about|tell|descri|know|more|read|learn'
const hotels = 'hotel|hostel|motel|resort|stay|accommodation|lodging|room|check-?in|sleep'
const rooms = 'room|availab|vacan|free|bed|suite'
const prices = 'cost|price|least|minimum|lowest|cheap|compar|expens|fare|budget'
const flights = 'fly|flies|flight|plane|connection|airline'
const words: Readonly<Record<string, string>> = {
  Search_Hotels: hotels,
  Search_Hotels_By_Coordinates: hotels,
  Get_Room_List: rooms,
  Get_Room_List_With_Availability: rooms,
  Get_Room_Availability: rooms,
  Get_Question_And_Answer: 'question|answer|ask',
  Get_Nearby_Cities: 'near|around|cities|towns?',
  Get_Popular_Attraction_Near_By: 'attraction|sight|landmark|near|visit',
  'Get_Hotel_Reviews(Tips)': 'review|says?|said|opinion|comment|guest|tip|experience',
  Get_Hotel_Review_Scores: 'score|rating|rated|rate|review|guest',
  Get_Hotel_Reviews_Filter_Metadata: 'filter',
  Property_Children_Policies: 'child|kid|crib|cot|son|daughter|famil|baby|toddler|infant|grand',
  Get_Hotel_Policies: 'polic|rule|check|pet|smok|cancel|allow',
  Get_Description_And_Info: about,
  Payment_features_of_the_Hotel: 'pay|card|cash',
  Get_Hotel_Details: `${about}|address|facilit`,
  Search_Car_Rentals: 'car|vehicle|rent|drive',
  Booking_Summary: 'summar|booking|overview|total',
  Vehicle_Supplier_Ratings: 'rating|rated|rate|score|supplier|customer',
  Vehicle_Details: about,
  Vehicle_Supplier_Details: `supplier|company|office|${about}`,
  Get_Packages: 'insur|package|cover|protect',
  Vehicle_Supplier_Review: 'review|says?|opinion|customer|supplier|descri',
  Get_Exchange_Rates: 'exchange|rate|currenc|convert',
  Get_Currency: 'currenc',
  Get_Languages: 'language',
  Get_Attraction_Details: about,
  Search_Attractions: 'attraction|sight|museum|tour|visit|activit|things to do',
  Get_Availability_Calendar: 'calendar|availab|days|open|when',
  Get_Availability: 'availab|open|hour|time|slot|ticket|when',
  Get_Min_Price: prices,
  Get_Min_Price_Multi_Stops: prices,
  Get_Flight_Details: `${about}|luggage|baggage|segment|layover|aircraft|terminal`,
  Get_Seat_Map: 'seat',
  Search_Flights: flights,
  Search_Flights_Multi_Stops: flights,
  Search_Taxi: 'taxi|cab|ride|transfer',
}
const cues = new Map(Object.entries(words).map(([name, list]) => [name, new RegExp(`\\b(?:${list})`, 'i')]))

/** True of a function that no words are known of. */
export const isRequested = (name: string, query: string): boolean => cues.get(name)?.test(query) ?? true
