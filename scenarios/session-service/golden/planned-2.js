const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.studies', value: 'lung_msk_2023' } })).data;
response_0[0].data.view.pageSize = user_variable_0.data.view.pageSize;
await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, response_0[0].data);
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
if (response_1[1].data.owner.name === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.studies', value: response_0[1].data.studies[1] } })).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: user_variable_0.data.owner.institute } })).data;
  RESULT = { listing: response_1, matches_1: response_2, matches_2: response_3 };
} else {
  await axios.delete(`${BASE_URL}/api/sessions/${response_1[1].source}/${response_1[1].type}/${response_1[1].id}`);
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
  RESULT = { added: response_4.id };
}
