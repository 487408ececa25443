const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: 'MD Anderson' } })).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
if (response_2[0].data.chart.profile === user_constant_0) {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}/query`, { params: { field: 'data.owner.institute', value: 'Institut Curie' } })).data;
  RESULT = { listing: response_1, matches: response_3 };
} else {
  user_variable_1.data.tags = response_2[0].data.tags;
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
  RESULT = { listing: response_1, added: response_4.id };
}
