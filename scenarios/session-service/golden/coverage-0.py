import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
response.raise_for_status()
response_0 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_1 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.tags", "value": response_0[0]["data"]["tags"][0]})
response.raise_for_status()
response_2 = response.json()
if response_2[0]["data"]["title"] == user_constant_0:
    requests.delete(f"{BASE_URL}/api/sessions/{response_2[1]['source']}/{response_2[1]['type']}/{response_2[1]['id']}").raise_for_status()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.column.label", "value": response_2[0]["data"]["column"]["label"]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_1["id"], "matches": response_3}
else:
    response_2[0]["data"]["column"]["datatype"] = "categorical"
    response = requests.post(f"{BASE_URL}/api/sessions/{response_2[0]['source']}/{response_2[0]['type']}", json=response_2[0]["data"])
    response.raise_for_status()
    response_4 = response.json()
    response_2[1]["data"]["title"] = "Mesothelioma archive"
    requests.put(f"{BASE_URL}/api/sessions/{response_2[1]['source']}/{response_2[1]['type']}/{response_2[1]['id']}", json=response_2[1]["data"]).raise_for_status()
    RESULT = {"added_1": response_1["id"], "added_2": response_4["id"]}
