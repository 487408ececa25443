const axios = require('axios');

user_variable_0.data.tags = user_variable_1.data.tags;
user_variable_0.data.owner.institute = 'Institut Curie';
const response_0 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
const response_1 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.column.label', value: 'Age at diagnosis' } })).data;
const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`, user_variable_1.data)).data;
if (response_1.length === user_constant_0) {
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.title', value: user_variable_1.data.title } })).data;
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { added_1: response_0.id, added_2: response_2.id, matches: response_3, listing: response_4 };
} else {
  const response_5 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.institute', value: user_variable_0.data.owner.institute } })).data;
  const response_6 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.owner.name', value: response_5[0].data.owner.name } })).data;
  RESULT = { added_1: response_0.id, added_2: response_2.id, matches: response_6 };
}
