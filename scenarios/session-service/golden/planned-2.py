import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.studies", "value": "lung_msk_2023"})
response.raise_for_status()
response_0 = response.json()
response_0[0]["data"]["view"]["pageSize"] = user_variable_0["data"]["view"]["pageSize"]
requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}", json=response_0[0]["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_1 = response.json()
if response_1[1]["data"]["owner"]["name"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.studies", "value": response_0[1]["data"]["studies"][1]})
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.institute", "value": user_variable_0["data"]["owner"]["institute"]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"listing": response_1, "matches_1": response_2, "matches_2": response_3}
else:
    requests.delete(f"{BASE_URL}/api/sessions/{response_1[1]['source']}/{response_1[1]['type']}/{response_1[1]['id']}").raise_for_status()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added": response_4["id"]}
