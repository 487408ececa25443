const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_0[2].source}/${response_0[2].type}/${response_0[2].id}`, user_variable_1.data);
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[2].source}/${response_0[2].type}`, response_0[2].data)).data;
if (response_0.length === user_constant_0) {
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { added_1: response_1.id, added_2: response_2.id, listing: response_3 };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.column.datatype', value: response_0[0].data.column.datatype } })).data;
  const response_5 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  RESULT = { added: response_1.id, matches: response_4, listing: response_5 };
}
