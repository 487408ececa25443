import requests

user_variable_0["data"]["tags"] = user_variable_1["data"]["tags"]
user_variable_0["data"]["owner"]["institute"] = "Institut Curie"
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.column.label", "value": "Age at diagnosis"})
response.raise_for_status()
response_1 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
response.raise_for_status()
response_2 = response.json()
if len(response_1) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.title", "value": user_variable_1["data"]["title"]})
    response.raise_for_status()
    response_3 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_2["id"], "matches": response_3, "listing": response_4}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.institute", "value": user_variable_0["data"]["owner"]["institute"]})
    response.raise_for_status()
    response_5 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": response_5[0]["data"]["owner"]["name"]})
    response.raise_for_status()
    response_6 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_2["id"], "matches": response_6}
