const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/${response_0.id}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_1.source}/${response_1.type}/${response_1.id}`, user_variable_0.data);
if (response_1.data.column.patientLevel === user_constant_0) {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.column.datatype', value: response_1.data.column.datatype } })).data;
  response_1.data.column.datatype = user_variable_0.data.column.datatype;
  response_1.data.column.patientLevel = response_2[0].data.column.patientLevel;
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${response_1.source}/${response_1.type}`, response_1.data)).data;
  RESULT = { added: response_3.id };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${response_1.source}/${response_1.type}/${response_1.id}`)).data;
  await axios.delete(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/${response_0.id}`);
  RESULT = { session: response_4 };
}
