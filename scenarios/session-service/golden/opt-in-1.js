const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: 'Noor Rahman' } })).data;
response_0[0].data.title = user_variable_0.data.title;
response_0[0].data.owner.name = user_variable_0.data.owner.name;
const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}`, response_0[0].data)).data;
const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_1.id}`)).data;
if (response_3.data.statistics.minimumSamples === user_constant_0) {
  await axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_1.id}`, user_variable_0.data);
  RESULT = { listing: response_2 };
} else {
  const response_4 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query/fetch`, { 'data.owner.institute': 'Memorial Sloan Kettering' })).data;
  RESULT = { listing: response_2, fetched: response_4 };
}
