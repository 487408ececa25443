import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_0 = response.json()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}/query", params={"field": "data.owner.name", "value": "Noor Rahman"})
response.raise_for_status()
response_1 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}")
response.raise_for_status()
response_2 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_3 = response.json()
RESULT = {"matches": response_1, "listing_1": response_2, "listing_2": response_3}
