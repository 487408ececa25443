const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.owner.institute', value: 'Dana Farber' } })).data;
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query/fetch`, { 'data.owner.institute': 'Dana Farber' })).data;
user_variable_1.data.column.patientLevel = response_1[0].data.column.patientLevel;
await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_1.data);
if (response_1.length === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.column.datatype', value: response_1[0].data.column.datatype } })).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`)).data;
  RESULT = { matches: response_2, session: response_3 };
} else {
  response_1[0].data.column.datatype = 'score';
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}`, response_1[0].data)).data;
  const response_5 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.title', value: response_0[0].data.title } })).data;
  RESULT = { added: response_4.id, matches: response_5 };
}
