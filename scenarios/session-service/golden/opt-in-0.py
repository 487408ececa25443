import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}", json=user_variable_0["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}")
response.raise_for_status()
response_1 = response.json()
if response_1["data"]["column"]["patientLevel"] == user_constant_0:
    response_0[0]["data"]["column"]["datatype"] = "score"
    response_0[0]["data"]["title"] = response_1["data"]["title"]
    response = requests.post(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}", json=response_0[0]["data"])
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.title", "value": response_0[0]["data"]["title"]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_2["id"], "matches": response_3}
else:
    requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"listing": response_4}
