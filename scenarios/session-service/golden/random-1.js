const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
await axios.put(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}/${response_0.id}`, user_variable_0.data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.groups', value: user_variable_0.data.groups[0] } })).data;
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
if (response_1.length === user_constant_0) {
  user_variable_0.data.statistics.test = user_variable_2.data.statistics.test;
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
  RESULT = { added_1: response_2.id, added_2: response_3.id };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  RESULT = { added: response_2.id, listing: response_4 };
}
