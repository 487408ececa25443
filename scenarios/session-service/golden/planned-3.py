import requests

user_variable_2["data"]["reference"]["release"] = 22
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_0 = response.json()
user_variable_1["data"]["owner"]["name"] = user_variable_2["data"]["owner"]["name"]
requests.put(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}/{response_0['id']}", json=user_variable_1["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}/query", params={"field": "data.owner.name", "value": user_variable_1["data"]["owner"]["name"]})
response.raise_for_status()
response_1 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.genes", "value": "FLT3"})
response.raise_for_status()
response_2 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_3 = response.json()
RESULT = {"matches_1": response_1, "matches_2": response_2, "added": response_3["id"]}
