const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}/query`, { params: { field: 'data.owner.name', value: 'Noor Rahman' } })).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`)).data;
const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
RESULT = { matches: response_1, listing_1: response_2, listing_2: response_3 };
