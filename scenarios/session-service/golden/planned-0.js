const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: user_variable_0.data.owner.institute } })).data;
user_variable_0.data.priority = response_0[0].data.priority;
await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_0.data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
if (response_1[0].data.column.patientLevel === user_constant_0) {
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}`, response_0[0].data)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: response_1[1].data.owner.institute } })).data;
  RESULT = { added: response_2.id, matches: response_3 };
} else {
  await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { listing: response_4 };
}
