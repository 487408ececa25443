const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query/fetch`, { 'data.owner.name': 'Maja Novak' })).data;
await axios.delete(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_0[1].id}`);
response_0[0].data.owner.name = 'Farid Haddad';
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}`, response_0[0].data)).data;
if (response_1[0].data.chart.profile === user_constant_0) {
  await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_0.data);
  RESULT = { added: response_2.id };
} else {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.groups', value: response_0[0].data.groups[1] } })).data;
  RESULT = { added: response_2.id, matches: response_3 };
}
