const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`, user_variable_0.data);
if (response_1[0].data.column.patientLevel === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.column.label', value: response_1[1].data.column.label } })).data;
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}`, response_1[0].data)).data;
  RESULT = { listing: response_0, matches: response_2, added: response_3.id };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  await axios.delete(`${BASE_URL}/api/sessions/${response_4[0].source}/${response_4[0].type}/${response_4[0].id}`);
  RESULT = { listing: response_0 };
}
