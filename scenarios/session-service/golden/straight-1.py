import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
response.raise_for_status()
response_0 = response.json()
response_0[0]["data"]["groups"] = user_variable_2["data"]["groups"]
response = requests.post(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}", json=response_0[0]["data"])
response.raise_for_status()
response_1 = response.json()
user_variable_0["data"]["groups"] = user_variable_2["data"]["groups"]
requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_1['id']}", json=user_variable_0["data"]).raise_for_status()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}/{response_0[1]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_2 = response.json()
RESULT = {"listing": response_2}
