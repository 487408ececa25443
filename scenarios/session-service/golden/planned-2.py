import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_0 = response.json()
user_variable_0["data"]["title"] = user_variable_1["data"]["title"]
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_1 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/{response_1['id']}", json=user_variable_1["data"]).raise_for_status()
if user_variable_1["data"]["description"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.view.theme", "value": user_variable_1["data"]["view"]["theme"]})
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_0["id"], "matches": response_2, "listing": response_3}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_4 = response.json()
    requests.delete(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/{response_1['id']}").raise_for_status()
    RESULT = {"added": response_0["id"], "listing": response_4}
