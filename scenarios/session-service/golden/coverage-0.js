const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.column.datatype', value: response_0[0].data.column.datatype } })).data;
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
if (response_1.length === user_constant_0) {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
  RESULT = { added: response_2.id, listing: response_3 };
} else {
  await axios.delete(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`);
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
  RESULT = { added_1: response_2.id, added_2: response_4.id };
}
