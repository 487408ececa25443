import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_1 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}", json=user_variable_0["data"]).raise_for_status()
if response_1[0]["data"]["column"]["patientLevel"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.column.label", "value": response_1[1]["data"]["column"]["label"]})
    response.raise_for_status()
    response_2 = response.json()
    response = requests.post(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}", json=response_1[0]["data"])
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"listing": response_0, "matches": response_2, "added": response_3["id"]}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_4 = response.json()
    requests.delete(f"{BASE_URL}/api/sessions/{response_4[0]['source']}/{response_4[0]['type']}/{response_4[0]['id']}").raise_for_status()
    RESULT = {"listing": response_0}
