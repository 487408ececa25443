const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`)).data;
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.tags', value: response_0[0].data.tags[0] } })).data;
if (response_2[0].data.title === user_constant_0) {
  await axios.delete(`${BASE_URL}/api/sessions/${response_2[1].source}/${response_2[1].type}/${response_2[1].id}`);
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.column.label', value: response_2[0].data.column.label } })).data;
  RESULT = { added: response_1.id, matches: response_3 };
} else {
  response_2[0].data.column.datatype = 'categorical';
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${response_2[0].source}/${response_2[0].type}`, response_2[0].data)).data;
  response_2[1].data.title = 'Mesothelioma archive';
  await axios.put(`${BASE_URL}/api/sessions/${response_2[1].source}/${response_2[1].type}/${response_2[1].id}`, response_2[1].data);
  RESULT = { added_1: response_1.id, added_2: response_4.id };
}
