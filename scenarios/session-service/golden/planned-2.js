const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
user_variable_0.data.title = user_variable_1.data.title;
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
await axios.put(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/${response_1.id}`, user_variable_1.data);
if (user_variable_1.data.description === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.view.theme', value: user_variable_1.data.view.theme } })).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { added: response_0.id, matches: response_2, listing: response_3 };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  await axios.delete(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/${response_1.id}`);
  RESULT = { added: response_0.id, listing: response_4 };
}
