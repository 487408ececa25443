import requests

user_variable_2["data"]["display"]["theme"] = user_variable_0["data"]["display"]["theme"]
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_0 = response.json()
if user_variable_2["data"]["display"]["pageSize"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_1 = response.json()
    response_1[3]["data"]["display"]["theme"] = response_1[2]["data"]["display"]["theme"]
    requests.put(f"{BASE_URL}/api/sessions/{response_1[3]['source']}/{response_1[3]['type']}/{response_1[3]['id']}", json=response_1[3]["data"]).raise_for_status()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.owner.name", "value": user_variable_1["data"]["owner"]["name"]})
    response.raise_for_status()
    response_2 = response.json()
    requests.delete(f"{BASE_URL}/api/sessions/{response_1[3]['source']}/{response_1[3]['type']}/{response_1[3]['id']}").raise_for_status()
    RESULT = {"added": response_0["id"], "matches": response_2}
else:
    user_variable_2["data"]["title"] = user_variable_0["data"]["title"]
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
    response.raise_for_status()
    response_3 = response.json()
    user_variable_1["data"]["locale"] = "en-GB"
    requests.put(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}/{response_0['id']}", json=user_variable_1["data"]).raise_for_status()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_4 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_5 = response.json()
    RESULT = {"added": response_3["id"], "listing_1": response_4, "listing_2": response_5}
