import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_0[2]['source']}/{response_0[2]['type']}/{response_0[2]['id']}", json=user_variable_1["data"]).raise_for_status()
response = requests.post(f"{BASE_URL}/api/sessions/{response_0[2]['source']}/{response_0[2]['type']}", json=response_0[2]["data"])
response.raise_for_status()
response_1 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_2 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_3 = response.json()
RESULT = {"added_1": response_1["id"], "added_2": response_2["id"], "listing": response_3}
