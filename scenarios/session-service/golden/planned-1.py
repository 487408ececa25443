import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
response.raise_for_status()
response_0 = response.json()
response_0[1]["data"]["statistics"]["minimumSamples"] = response_0[0]["data"]["statistics"]["minimumSamples"]
requests.put(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}/{response_0[1]['id']}", json=response_0[1]["data"]).raise_for_status()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response_0[1]["data"]["title"] = "Münster head and neck"
response = requests.post(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}", json=response_0[1]["data"])
response.raise_for_status()
response_1 = response.json()
if len(response_0) == user_constant_0:
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
    response.raise_for_status()
    response_2 = response.json()
    RESULT = {"added_1": response_1["id"], "added_2": response_2["id"]}
else:
    user_variable_0["data"]["statistics"]["minimumSamples"] = 5
    requests.put(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}/{response_1['id']}", json=user_variable_0["data"]).raise_for_status()
    RESULT = {"added": response_1["id"]}
