const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
await axios.put(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/${response_2.id}`, user_variable_1.data);
const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.reference.assembly', value: 'mm10' } })).data;
RESULT = { listing_1: response_0, listing_2: response_1, matches: response_3 };
