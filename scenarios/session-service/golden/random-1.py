import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}", json=user_variable_1["data"])
response.raise_for_status()
response_0 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_1 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": user_variable_0["data"]["owner"]["name"]})
response.raise_for_status()
response_2 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_2[0]['source']}/{response_2[0]['type']}/{response_2[0]['id']}", json=user_variable_0["data"]).raise_for_status()
if response_2[1]["data"]["title"] == user_constant_0:
    user_variable_1["data"]["chart"]["profile"] = response_1[1]["data"]["chart"]["profile"]
    requests.put(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}", json=user_variable_1["data"]).raise_for_status()
    RESULT = {"added": response_0["id"]}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_0["id"], "listing_1": response_1, "listing_2": response_3}
