const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`, user_variable_2.data);
if (response_1.length === user_constant_0) {
  await axios.put(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/${response_0.id}`, user_variable_0.data);
  user_variable_0.data.priority = response_1[1].data.priority;
  await axios.put(`${BASE_URL}/api/sessions/${response_1[2].source}/${response_1[2].type}/${response_1[2].id}`, user_variable_0.data);
  RESULT = { listing: response_1 };
} else {
  const response_2 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`)).data;
  user_variable_2.data.column.patientLevel = false;
  const response_3 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_2.source}/${user_variable_2.type}`, user_variable_2.data)).data;
  RESULT = { added_1: response_0.id, listing: response_2, added_2: response_3.id };
}
