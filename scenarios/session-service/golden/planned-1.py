import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": "Henrik Larsen"})
response.raise_for_status()
response_1 = response.json()
requests.delete(f"{BASE_URL}/api/sessions/{response_1[2]['source']}/{response_1[2]['type']}/{response_1[2]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.groups", "value": "treated"})
response.raise_for_status()
response_2 = response.json()
if len(response_2) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_0["id"], "matches": response_2, "listing": response_3}
else:
    response_2[0]["data"]["owner"]["institute"] = "Mayo Clinic"
    response = requests.post(f"{BASE_URL}/api/sessions/{response_2[0]['source']}/{response_2[0]['type']}", json=response_2[0]["data"])
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"added_1": response_0["id"], "added_2": response_4["id"]}
