const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
if (response_0.length === user_constant_0) {
  const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query/fetch`, { 'data.display.showLegend': false })).data;
  await axios.delete(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`);
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.title', value: response_0[3].data.title } })).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  RESULT = { matches: response_2, listing: response_3 };
} else {
  await axios.delete(`${BASE_URL}/api/sessions/${response_0[3].source}/${response_0[3].type}/${response_0[3].id}`);
  user_variable_0.data.display.theme = response_0[1].data.display.theme;
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
  const response_5 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  const response_6 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { added: response_4.id, listing_1: response_5, listing_2: response_6 };
}
