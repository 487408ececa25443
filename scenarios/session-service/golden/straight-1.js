const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
user_variable_0.data.title = 'Long-term survivors';
user_variable_0.data.groups = response_1[1].data.groups;
await axios.put(`${BASE_URL}/api/sessions/${response_1[2].source}/${response_1[2].type}/${response_1[2].id}`, user_variable_0.data);
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.statistics.test', value: response_1[1].data.statistics.test } })).data;
response_1[1].data.title = user_variable_0.data.title;
const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${response_1[1].source}/${response_1[1].type}`, response_1[1].data)).data;
RESULT = { added_1: response_0.id, matches: response_2, added_2: response_3.id };
