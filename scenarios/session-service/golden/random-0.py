import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.owner.institute", "value": "Royal Marsden"})
response.raise_for_status()
response_1 = response.json()
user_variable_1["data"]["column"]["datatype"] = "date"
user_variable_1["data"]["tags"] = user_variable_0["data"]["tags"]
requests.put(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}", json=user_variable_1["data"]).raise_for_status()
if len(response_1) == user_constant_0:
    user_variable_1["data"]["owner"]["name"] = "Ines Moreau"
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_2["id"], "listing": response_3}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_4 = response.json()
    user_variable_0["data"]["title"] = response_1[0]["data"]["title"]
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
    response.raise_for_status()
    response_5 = response.json()
    RESULT = {"added_1": response_0["id"], "listing": response_4, "added_2": response_5["id"]}
