import requests

user_variable_0["data"]["title"] = "Rare sarcoma review"
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_0 = response.json()
user_variable_2["data"]["statistics"]["test"] = user_variable_0["data"]["statistics"]["test"]
user_variable_2["data"]["title"] = user_variable_0["data"]["title"]
requests.put(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/{response_0['id']}", json=user_variable_2["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_1 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_2 = response.json()
if response_1[0]["data"]["chart"]["profile"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.institute", "value": user_variable_2["data"]["owner"]["institute"]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_2["id"], "matches": response_3}
else:
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added_1": response_2["id"], "added_2": response_4["id"]}
