const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
await axios.put(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/${response_0.id}`, user_variable_2.data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: 'Grace Okafor' } })).data;
if (response_1[0].data.description === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.studies', value: response_1[0].data.studies[0] } })).data;
  RESULT = { listing: response_2, matches: response_3 };
} else {
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
  const response_5 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
  RESULT = { added_1: response_4.id, added_2: response_5.id };
}
