const axios = require('axios');

user_variable_2.data.display.theme = user_variable_0.data.display.theme;
const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
if (user_variable_2.data.display.pageSize === user_constant_0) {
  const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  response_1[3].data.display.theme = response_1[2].data.display.theme;
  await axios.put(`${BASE_URL}/api/sessions/${response_1[3].source}/${response_1[3].type}/${response_1[3].id}`, response_1[3].data);
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.owner.name', value: user_variable_1.data.owner.name } })).data;
  await axios.delete(`${BASE_URL}/api/sessions/${response_1[3].source}/${response_1[3].type}/${response_1[3].id}`);
  RESULT = { added: response_0.id, matches: response_2 };
} else {
  user_variable_2.data.title = user_variable_0.data.title;
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
  user_variable_1.data.locale = 'en-GB';
  await axios.put(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}/${response_0.id}`, user_variable_1.data);
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  const response_5 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { added: response_3.id, listing_1: response_4, listing_2: response_5 };
}
