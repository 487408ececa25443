const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: user_variable_0.data.owner.name } })).data;
await axios.put(`${BASE_URL}/api/sessions/${response_2[0].source}/${response_2[0].type}/${response_2[0].id}`, user_variable_0.data);
if (response_2[1].data.title === user_constant_0) {
  user_variable_1.data.chart.profile = response_1[1].data.chart.profile;
  await axios.put(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`, user_variable_1.data);
  RESULT = { added: response_0.id };
} else {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  RESULT = { added: response_0.id, listing_1: response_1, listing_2: response_3 };
}
