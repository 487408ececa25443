const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query/fetch`, { 'data.column.datatype': 'score' })).data;
await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_1.data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`)).data;
if (response_1.data.column.patientLevel === user_constant_0) {
  response_1.data.column.datatype = response_0[0].data.column.datatype;
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${response_1.source}/${response_1.type}`, response_1.data)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.tags', value: response_1.data.tags[1] } })).data;
  RESULT = { added: response_2.id, matches: response_3 };
} else {
  response_1.data.column.patientLevel = false;
  response_1.data.owner.name = 'Noor Rahman';
  await axios.put(`${BASE_URL}/api/sessions/${response_1.source}/${response_1.type}/${response_1.id}`, response_1.data);
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query/fetch`, { 'data.column.label': 'Treatment line' })).data;
  RESULT = { fetched: response_4 };
}
