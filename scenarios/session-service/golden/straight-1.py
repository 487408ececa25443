import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.tags", "value": user_variable_1["data"]["tags"][1]})
response.raise_for_status()
response_1 = response.json()
user_variable_1["data"]["owner"]["institute"] = "Charité"
requests.put(f"{BASE_URL}/api/sessions/{response_1[1]['source']}/{response_1[1]['type']}/{response_1[1]['id']}", json=user_variable_1["data"]).raise_for_status()
requests.delete(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}").raise_for_status()
response = requests.post(f"{BASE_URL}/api/sessions/{response_1[1]['source']}/{response_1[1]['type']}", json=response_1[1]["data"])
response.raise_for_status()
response_2 = response.json()
RESULT = {"added_1": response_0["id"], "added_2": response_2["id"]}
