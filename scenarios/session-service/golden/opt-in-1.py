import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.owner.name", "value": "Noor Rahman"})
response.raise_for_status()
response_0 = response.json()
response_0[0]["data"]["title"] = user_variable_0["data"]["title"]
response_0[0]["data"]["owner"]["name"] = user_variable_0["data"]["owner"]["name"]
response = requests.post(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}", json=response_0[0]["data"])
response.raise_for_status()
response_1 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_2 = response.json()
response = requests.get(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_1['id']}")
response.raise_for_status()
response_3 = response.json()
if response_3["data"]["statistics"]["minimumSamples"] == user_constant_0:
    requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_1['id']}", json=user_variable_0["data"]).raise_for_status()
    RESULT = {"listing": response_2}
else:
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query/fetch", json={"data.owner.institute": "Memorial Sloan Kettering"})
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"listing": response_2, "fetched": response_4}
