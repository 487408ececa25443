const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_1[4].source}/${response_1[4].type}/${response_1[4].id}`, user_variable_2.data);
if (response_1.length === user_constant_0) {
  response_1[4].data.title = response_1[0].data.title;
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${response_1[4].source}/${response_1[4].type}`, response_1[4].data)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.tags', value: response_1[2].data.tags[2] } })).data;
  RESULT = { added_1: response_0.id, added_2: response_2.id, matches: response_3 };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${response_1[4].source}/${response_1[4].type}/${response_1[4].id}`)).data;
  await axios.delete(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/${response_0.id}`);
  RESULT = { session: response_4 };
}
