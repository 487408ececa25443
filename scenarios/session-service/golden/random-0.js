const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_1[1].source}/${response_1[1].type}/${response_1[1].id}`, user_variable_0.data);
if (response_1[0].data.column.patientLevel === user_constant_0) {
  user_variable_1.data.column.datatype = user_variable_0.data.column.datatype;
  await axios.put(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`, user_variable_1.data);
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: 'Grace Okafor' } })).data;
  RESULT = { added: response_0.id, matches: response_2 };
} else {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  user_variable_0.data.owner.name = response_3[0].data.owner.name;
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
  RESULT = { added_1: response_0.id, added_2: response_4.id };
}
