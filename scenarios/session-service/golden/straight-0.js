const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_0[2].source}/${response_0[2].type}/${response_0[2].id}`, user_variable_1.data);
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[2].source}/${response_0[2].type}`, response_0[2].data)).data;
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
RESULT = { added_1: response_1.id, added_2: response_2.id, listing: response_3 };
