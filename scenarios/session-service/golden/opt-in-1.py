import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}/{response_0[1]['id']}", json=user_variable_2["data"]).raise_for_status()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_1 = response.json()
if len(response_1) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.title", "value": response_1[0]["data"]["title"]})
    response.raise_for_status()
    response_2 = response.json()
    RESULT = {"matches": response_2}
else:
    response = requests.post(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}", json=response_0[1]["data"])
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_3["id"]}
