import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_1 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_1[4]['source']}/{response_1[4]['type']}/{response_1[4]['id']}", json=user_variable_2["data"]).raise_for_status()
if len(response_1) == user_constant_0:
    response_1[4]["data"]["title"] = response_1[0]["data"]["title"]
    response = requests.post(f"{BASE_URL}/api/sessions/{response_1[4]['source']}/{response_1[4]['type']}", json=response_1[4]["data"])
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.tags", "value": response_1[2]["data"]["tags"][2]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_2["id"], "matches": response_3}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{response_1[4]['source']}/{response_1[4]['type']}/{response_1[4]['id']}")
    response.raise_for_status()
    response_4 = response.json()
    requests.delete(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/{response_0['id']}").raise_for_status()
    RESULT = {"session": response_4}
