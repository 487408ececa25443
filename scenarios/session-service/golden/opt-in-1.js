const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.studies', value: user_variable_1.data.studies[1] } })).data;
if (response_0[1].data.title === user_constant_0) {
  const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_0[1].id}`)).data;
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query/fetch`, { 'data.owner.name': 'Dmitri Orlov' })).data;
  response_2[1].data.owner.name = response_0[0].data.owner.name;
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${response_2[1].source}/${response_2[1].type}`, response_2[1].data)).data;
  user_variable_0.data.title = 'Colorectal baseline';
  await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, user_variable_0.data);
  RESULT = { session: response_1, added: response_3.id };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.studies', value: 'nbl_target' } })).data;
  const response_5 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query/fetch`, { 'data.filters.cancerType': 'lymphoma' })).data;
  await axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`);
  const response_6 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: user_variable_0.data.owner.name } })).data;
  RESULT = { matches_1: response_4, fetched: response_5, matches_2: response_6 };
}
