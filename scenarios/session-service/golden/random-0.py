import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_1 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_1[1]['source']}/{response_1[1]['type']}/{response_1[1]['id']}", json=user_variable_0["data"]).raise_for_status()
if response_1[0]["data"]["column"]["patientLevel"] == user_constant_0:
    user_variable_1["data"]["column"]["datatype"] = user_variable_0["data"]["column"]["datatype"]
    requests.put(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}", json=user_variable_1["data"]).raise_for_status()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": "Grace Okafor"})
    response.raise_for_status()
    response_2 = response.json()
    RESULT = {"added": response_0["id"], "matches": response_2}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_3 = response.json()
    user_variable_0["data"]["owner"]["name"] = response_3[0]["data"]["owner"]["name"]
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_4["id"]}
