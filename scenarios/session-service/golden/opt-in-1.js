const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
await axios.delete(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_0[1].id}`);
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
if (response_2.length === user_constant_0) {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: response_0[0].data.owner.institute } })).data;
  RESULT = { added: response_1.id, matches: response_3 };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${response_2[1].source}/${response_2[1].type}/${response_2[1].id}`)).data;
  RESULT = { added: response_1.id, session: response_4 };
}
