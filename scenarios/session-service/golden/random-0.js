const axios = require('axios');

const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.owner.institute', value: 'Royal Marsden' } })).data;
user_variable_1.data.column.datatype = 'date';
user_variable_1.data.tags = user_variable_0.data.tags;
await axios.put(`${BASE_URL}/api/sessions/${response_1[0].source}/${response_1[0].type}/${response_1[0].id}`, user_variable_1.data);
if (response_1.length === user_constant_0) {
  user_variable_1.data.owner.name = 'Ines Moreau';
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { added_1: response_0.id, added_2: response_2.id, listing: response_3 };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
  user_variable_0.data.title = response_1[0].data.title;
  const response_5 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
  RESULT = { added_1: response_0.id, listing: response_4, added_2: response_5.id };
}
