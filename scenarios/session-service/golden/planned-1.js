const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
user_variable_1.data.chart.profile = 'protein level';
await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_1.data);
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}`, response_0[0].data)).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
if (response_2[1].data.chart.profile === user_constant_0) {
  await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_1.id}`);
  RESULT = { listing: response_2 };
} else {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  RESULT = { added: response_1.id, listing: response_3 };
}
