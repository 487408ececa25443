const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_0[1].id}`, user_variable_2.data);
await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
if (response_1.length === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.title', value: response_1[0].data.title } })).data;
  RESULT = { matches: response_2 };
} else {
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}`, response_0[1].data)).data;
  RESULT = { added: response_3.id };
}
