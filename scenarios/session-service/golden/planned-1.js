const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
response_0[1].data.title = user_variable_2.data.title;
await axios.put(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_0[1].id}`, response_0[1].data);
await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`)).data;
if (response_1.length === user_constant_0) {
  response_0[1].data.title = 'Bladder pilot';
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}`, response_0[1].data)).data;
  RESULT = { added: response_2.id };
} else {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { listing: response_3 };
}
