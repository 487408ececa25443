import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.institute", "value": user_variable_0["data"]["owner"]["institute"]})
response.raise_for_status()
response_0 = response.json()
user_variable_0["data"]["priority"] = response_0[0]["data"]["priority"]
requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}", json=user_variable_0["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_1 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}", json=response_0[0]["data"])
response.raise_for_status()
response_2 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.institute", "value": response_1[1]["data"]["owner"]["institute"]})
response.raise_for_status()
response_3 = response.json()
RESULT = {"added": response_2["id"], "matches": response_3}
