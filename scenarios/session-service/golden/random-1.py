import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_0 = response.json()
user_variable_2["data"]["groups"] = user_variable_0["data"]["groups"]
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_1 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}/query", params={"field": "data.title", "value": user_variable_2["data"]["title"]})
response.raise_for_status()
response_2 = response.json()
user_variable_0["data"]["statistics"]["corrected"] = user_variable_2["data"]["statistics"]["corrected"]
user_variable_0["data"]["groups"] = ["early stage"]
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_3 = response.json()
if len(response_2) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": "Carla Mendes"})
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_1["id"], "added_3": response_3["id"], "matches": response_4}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_5 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_1["id"], "added_3": response_3["id"], "listing": response_5}
