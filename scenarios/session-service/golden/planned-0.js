const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.owner.name', value: user_variable_1.data.owner.name } })).data;
await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_0.data);
response_0[0].data.owner.institute = 'Vall Hebron';
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}`, response_0[0].data)).data;
if (response_0.length === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.column.datatype', value: response_2[0].data.column.datatype } })).data;
  RESULT = { added: response_1.id, matches: response_3 };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.owner.institute', value: response_0[0].data.owner.institute } })).data;
  await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_1.id}`);
  RESULT = { matches: response_4 };
}
