import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_0 = response.json()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": "Ines Moreau"})
response.raise_for_status()
response_1 = response.json()
if len(response_1) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.statistics.test", "value": user_variable_0["data"]["statistics"]["test"]})
    response.raise_for_status()
    response_2 = response.json()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"matches": response_2, "added": response_3["id"]}
else:
    response_1[0]["data"]["statistics"]["corrected"] = user_variable_0["data"]["statistics"]["corrected"]
    response_1[0]["data"]["statistics"]["test"] = user_variable_0["data"]["statistics"]["test"]
    requests.put(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}", json=response_1[0]["data"]).raise_for_status()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"listing": response_4}
