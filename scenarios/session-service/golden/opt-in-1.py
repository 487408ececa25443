import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_0 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_1 = response.json()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}/{response_0[1]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_2 = response.json()
if len(response_2) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.institute", "value": response_0[0]["data"]["owner"]["institute"]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_1["id"], "matches": response_3}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{response_2[1]['source']}/{response_2[1]['type']}/{response_2[1]['id']}")
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added": response_1["id"], "session": response_4}
