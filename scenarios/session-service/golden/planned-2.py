import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/{response_0['id']}", json=user_variable_2["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": "Grace Okafor"})
response.raise_for_status()
response_1 = response.json()
if response_1[0]["data"]["description"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.studies", "value": response_1[0]["data"]["studies"][0]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"listing": response_2, "matches": response_3}
else:
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
    response.raise_for_status()
    response_4 = response.json()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
    response.raise_for_status()
    response_5 = response.json()
    RESULT = {"added_1": response_4["id"], "added_2": response_5["id"]}
