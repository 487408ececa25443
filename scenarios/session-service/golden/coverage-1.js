const axios = require('axios');

user_variable_0.data.title = 'Rare sarcoma review';
const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
user_variable_2.data.statistics.test = user_variable_0.data.statistics.test;
user_variable_2.data.title = user_variable_0.data.title;
await axios.put(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/${response_0.id}`, user_variable_2.data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
if (response_1[0].data.chart.profile === user_constant_0) {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: user_variable_2.data.owner.institute } })).data;
  RESULT = { added: response_2.id, matches: response_3 };
} else {
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
  RESULT = { added_1: response_2.id, added_2: response_4.id };
}
