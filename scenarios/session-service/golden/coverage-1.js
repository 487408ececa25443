const axios = require('axios');

user_variable_1.data.owner.institute = 'Institut Curie';
user_variable_1.data.chart.bins = 46;
const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
user_variable_1.data.chart.gene = 'CDKN2A';
user_variable_1.data.chart.profile = 'fusion';
await axios.put(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/${response_0.id}`, user_variable_1.data);
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
if (response_2.length === user_constant_0) {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.groups', value: response_2[1].data.groups[0] } })).data;
  RESULT = { added: response_1.id, matches: response_3 };
} else {
  response_2[1].data.title = user_variable_1.data.title;
  response_2[1].data.groups = response_2[0].data.groups;
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${response_2[1].source}/${response_2[1].type}`, response_2[1].data)).data;
  RESULT = { added_1: response_1.id, added_2: response_4.id };
}
