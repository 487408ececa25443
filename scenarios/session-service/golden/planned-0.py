import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.owner.name", "value": user_variable_1["data"]["owner"]["name"]})
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}", json=user_variable_0["data"]).raise_for_status()
response_0[0]["data"]["owner"]["institute"] = "Vall Hebron"
response = requests.post(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}", json=response_0[0]["data"])
response.raise_for_status()
response_1 = response.json()
if len(response_0) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.column.datatype", "value": response_2[0]["data"]["column"]["datatype"]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_1["id"], "matches": response_3}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.owner.institute", "value": response_0[0]["data"]["owner"]["institute"]})
    response.raise_for_status()
    response_4 = response.json()
    requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_1['id']}").raise_for_status()
    RESULT = {"matches": response_4}
