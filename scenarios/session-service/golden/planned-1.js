const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: 'Henrik Larsen' } })).data;
await axios.delete(`${BASE_URL}/api/sessions/${response_1[2].source}/${response_1[2].type}/${response_1[2].id}`);
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.groups', value: 'treated' } })).data;
if (response_2.length === user_constant_0) {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  RESULT = { added: response_0.id, matches: response_2, listing: response_3 };
} else {
  response_2[0].data.owner.institute = 'Mayo Clinic';
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${response_2[0].source}/${response_2[0].type}`, response_2[0].data)).data;
  RESULT = { added_1: response_0.id, added_2: response_4.id };
}
