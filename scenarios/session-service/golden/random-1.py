import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}/{response_0['id']}", json=user_variable_0["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.groups", "value": user_variable_0["data"]["groups"][0]})
response.raise_for_status()
response_1 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_2 = response.json()
if len(response_1) == user_constant_0:
    user_variable_0["data"]["statistics"]["test"] = user_variable_2["data"]["statistics"]["test"]
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added_1": response_2["id"], "added_2": response_3["id"]}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added": response_2["id"], "listing": response_4}
