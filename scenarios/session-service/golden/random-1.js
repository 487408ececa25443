const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
user_variable_2.data.groups = user_variable_0.data.groups;
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}/query`, { params: { field: 'data.title', value: user_variable_2.data.title } })).data;
user_variable_0.data.statistics.corrected = user_variable_2.data.statistics.corrected;
user_variable_0.data.groups = ['early stage'];
const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
if (response_2.length === user_constant_0) {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: 'Carla Mendes' } })).data;
  RESULT = { added_1: response_0.id, added_2: response_1.id, added_3: response_3.id, matches: response_4 };
} else {
  const response_5 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  RESULT = { added_1: response_0.id, added_2: response_1.id, added_3: response_3.id, listing: response_5 };
}
