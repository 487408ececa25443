import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.studies", "value": user_variable_1["data"]["studies"][1]})
response.raise_for_status()
response_0 = response.json()
if response_0[1]["data"]["title"] == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{response_0[1]['source']}/{response_0[1]['type']}/{response_0[1]['id']}")
    response.raise_for_status()
    response_1 = response.json()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query/fetch", json={"data.owner.name": "Dmitri Orlov"})
    response.raise_for_status()
    response_2 = response.json()
    response_2[1]["data"]["owner"]["name"] = response_0[0]["data"]["owner"]["name"]
    response = requests.post(f"{BASE_URL}/api/sessions/{response_2[1]['source']}/{response_2[1]['type']}", json=response_2[1]["data"])
    response.raise_for_status()
    response_3 = response.json()
    user_variable_0["data"]["title"] = "Colorectal baseline"
    requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}", json=user_variable_0["data"]).raise_for_status()
    RESULT = {"session": response_1, "added": response_3["id"]}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.studies", "value": "nbl_target"})
    response.raise_for_status()
    response_4 = response.json()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query/fetch", json={"data.filters.cancerType": "lymphoma"})
    response.raise_for_status()
    response_5 = response.json()
    requests.delete(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}").raise_for_status()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": user_variable_0["data"]["owner"]["name"]})
    response.raise_for_status()
    response_6 = response.json()
    RESULT = {"matches_1": response_4, "fetched": response_5, "matches_2": response_6}
