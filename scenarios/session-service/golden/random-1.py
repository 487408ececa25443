import requests

user_variable_1["data"]["owner"]["institute"] = "Institut Curie"
user_variable_1["data"]["chart"]["bins"] = 46
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
response.raise_for_status()
response_0 = response.json()
user_variable_1["data"]["chart"]["gene"] = "CDKN2A"
user_variable_1["data"]["chart"]["profile"] = "fusion"
requests.put(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/{response_0['id']}", json=user_variable_1["data"]).raise_for_status()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_1 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_2 = response.json()
if len(response_2) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_1["id"], "listing": response_3}
else:
    response_2[1]["data"]["title"] = user_variable_1["data"]["title"]
    response_2[1]["data"]["groups"] = response_2[0]["data"]["groups"]
    response = requests.post(f"{BASE_URL}/api/sessions/{response_2[1]['source']}/{response_2[1]['type']}", json=response_2[1]["data"])
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added_1": response_1["id"], "added_2": response_4["id"]}
