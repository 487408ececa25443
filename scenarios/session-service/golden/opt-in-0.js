const axios = require('axios');

user_variable_0.data.column.datatype = user_variable_1.data.column.datatype;
const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/${response_0.id}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_1.source}/${response_1.type}/${response_1.id}`, user_variable_1.data);
if (response_1.data.column.patientLevel === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: response_1.data.owner.institute } })).data;
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${response_1.source}/${response_1.type}`, response_1.data)).data;
  RESULT = { matches: response_2, added: response_3.id };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  await axios.put(`${BASE_URL}/api/sessions/${response_4[2].source}/${response_4[2].type}/${response_4[2].id}`, user_variable_0.data);
  RESULT = { listing: response_4 };
}
