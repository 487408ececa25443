const axios = require('axios');

user_variable_2.data.reference.release = 22;
const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
user_variable_1.data.owner.name = user_variable_2.data.owner.name;
await axios.put(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}/${response_0.id}`, user_variable_1.data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}/query`, { params: { field: 'data.owner.name', value: user_variable_1.data.owner.name } })).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.genes', value: 'FLT3' } })).data;
const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
RESULT = { matches_1: response_1, matches_2: response_2, added: response_3.id };
