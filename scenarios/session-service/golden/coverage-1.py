import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.institute", "value": "MD Anderson"})
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
response.raise_for_status()
response_1 = response.json()
requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_2 = response.json()
if response_2[0]["data"]["chart"]["profile"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_2['source']}/{user_variable_2['type']}/query", params={"field": "data.owner.institute", "value": "Institut Curie"})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"listing": response_1, "matches": response_3}
else:
    user_variable_1["data"]["tags"] = response_2[0]["data"]["tags"]
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"listing": response_1, "added": response_4["id"]}
