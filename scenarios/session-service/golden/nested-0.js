const axios = require('axios');

const response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
await axios.put(`${BASE_URL}/api/sessions/${response_0[2].source}/${response_0[2].type}/${response_0[2].id}`, user_variable_1.data);
if (response_0.length === user_constant_0) {
  const response_1 = (await axios.post(`${BASE_URL}/api/sessions/${response_0[2].source}/${response_0[2].type}`, response_0[2].data)).data;
  const response_2 = (await axios.post(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`, user_variable_0.data)).data;
  const response_3 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}`)).data;
  RESULT = { added_1: response_1.id, added_2: response_2.id, listing: response_3 };
} else {
  const response_4 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_1.source}/${user_variable_1.type}/query`, { params: { field: 'data.tags', value: response_0[1].data.tags[0] } })).data;
  if (response_4.length === user_constant_1) {
    await axios.delete(`${BASE_URL}/api/sessions/${response_0[2].source}/${response_0[2].type}/${response_0[2].id}`);
    if (response_4[0].data.priority === user_constant_2) {
      await axios.put(`${BASE_URL}/api/sessions/${response_4[0].source}/${response_4[0].type}/${response_4[0].id}`, user_variable_2.data);
      RESULT = { matches: response_4 };
    } else {
      await axios.delete(`${BASE_URL}/api/sessions/${response_4[0].source}/${response_4[0].type}/${response_4[0].id}`);
      RESULT = { matches: response_4 };
    }
  } else {
    const response_5 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;
    const response_6 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}/query`, { params: { field: 'data.tags', value: response_4[1].data.tags[0] } })).data;
    RESULT = { listing: response_5, matches: response_6 };
  }
}
