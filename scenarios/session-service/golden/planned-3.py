import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.reference.assembly", "value": user_variable_0["data"]["reference"]["assembly"]})
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.title", "value": "Neuroblastoma infants"})
response.raise_for_status()
response_1 = response.json()
requests.delete(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}").raise_for_status()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.owner.name", "value": "Noor Rahman"})
response.raise_for_status()
response_2 = response.json()
RESULT = {"matches": response_2}
