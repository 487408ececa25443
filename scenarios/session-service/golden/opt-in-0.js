const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_0.data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`)).data;
if (response_1.data.column.patientLevel === user_constant_0) {
  response_0[0].data.column.datatype = 'score';
  response_0[0].data.title = response_1.data.title;
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}`, response_0[0].data)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.title', value: response_0[0].data.title } })).data;
  RESULT = { added: response_2.id, matches: response_3 };
} else {
  await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { listing: response_4 };
}
