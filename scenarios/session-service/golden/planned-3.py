import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_1 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_2 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/{response_2['id']}", json=user_variable_1["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.reference.assembly", "value": "mm10"})
response.raise_for_status()
response_3 = response.json()
RESULT = {"listing_1": response_0, "listing_2": response_1, "matches": response_3}
