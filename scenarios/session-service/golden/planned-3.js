const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.reference.assembly', value: user_variable_0.data.reference.assembly } })).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.title', value: 'Neuroblastoma infants' } })).data;
await axios.delete(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`);
await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.owner.name', value: 'Noor Rahman' } })).data;
RESULT = { matches: response_2 };
