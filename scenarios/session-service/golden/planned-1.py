import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_0 = response.json()
response_0[1]["data"]["title"] = user_variable_2["data"]["title"]
requests.put(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}/{response_0[1]['id']}", json=response_0[1]["data"]).raise_for_status()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
response.raise_for_status()
response_1 = response.json()
if len(response_1) == user_constant_0:
    response_0[1]["data"]["title"] = "Bladder pilot"
    response = requests.post(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}", json=response_0[1]["data"])
    response.raise_for_status()
    response_2 = response.json()
    RESULT = {"added": response_2["id"]}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"listing": response_3}
