import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_1 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}", json=user_variable_2["data"]).raise_for_status()
if len(response_1) == user_constant_0:
    requests.put(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/{response_0['id']}", json=user_variable_0["data"]).raise_for_status()
    user_variable_0["data"]["priority"] = response_1[1]["data"]["priority"]
    requests.put(f"{BASE_URL}/api/sessions/{response_1[2]['source']}/{response_1[2]['type']}/{response_1[2]['id']}", json=user_variable_0["data"]).raise_for_status()
    RESULT = {"listing": response_1}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
    response.raise_for_status()
    response_2 = response.json()
    user_variable_2["data"]["column"]["patientLevel"] = False
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added_1": response_0["id"], "listing": response_2, "added_2": response_3["id"]}
