const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: user_variable_0.data.owner.institute } })).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.title', value: 'Neuroblastoma infants' } })).data;
await axios.delete(`${BASE_URL}/api/sessions/${response_1[1].source}/${response_1[1].type}/${response_1[1].id}`);
user_variable_1.data.owner.institute = 'Vall Hebron';
const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
RESULT = { matches_1: response_0, matches_2: response_2, added: response_3.id };
