import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.genes", "value": user_variable_2["data"]["genes"][0]})
response.raise_for_status()
response_0 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}", json=user_variable_2["data"])
response.raise_for_status()
response_1 = response.json()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.genes", "value": user_variable_1["data"]["genes"][2]})
response.raise_for_status()
response_2 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.owner.institute", "value": "Charité"})
response.raise_for_status()
response_3 = response.json()
RESULT = {"added": response_1["id"], "matches_1": response_2, "matches_2": response_3}
