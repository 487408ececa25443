const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.tags', value: user_variable_1.data.tags[1] } })).data;
user_variable_1.data.owner.institute = 'Charité';
await axios.put(`${BASE_URL}/api/sessions/${response_1[1].source}/${response_1[1].type}/${response_1[1].id}`, user_variable_1.data);
await axios.delete(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`);
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${response_1[1].source}/${response_1[1].type}`, response_1[1].data)).data;
RESULT = { added_1: response_0.id, added_2: response_2.id };
