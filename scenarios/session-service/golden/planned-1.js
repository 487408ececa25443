const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`)).data;
response_0[1].data.statistics.minimumSamples = response_0[0].data.statistics.minimumSamples;
await axios.put(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_0[1].id}`, response_0[1].data);
await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
response_0[1].data.title = 'Münster head and neck';
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}`, response_0[1].data)).data;
if (response_0.length === user_constant_0) {
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
  RESULT = { added_1: response_1.id, added_2: response_2.id };
} else {
  user_variable_0.data.statistics.minimumSamples = 5;
  await axios.put(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_1.id}`, user_variable_0.data);
  RESULT = { added: response_1.id };
}
