import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.column.datatype", "value": response_0[0]["data"]["column"]["datatype"]})
response.raise_for_status()
response_1 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_2 = response.json()
if len(response_1) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_3 = response.json()
    requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
    RESULT = {"added": response_2["id"], "listing": response_3}
else:
    requests.delete(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}").raise_for_status()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added_1": response_2["id"], "added_2": response_4["id"]}
