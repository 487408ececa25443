import requests

response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query/fetch", json={"data.column.datatype": "score"})
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}", json=user_variable_1["data"]).raise_for_status()
response = requests.get(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}")
response.raise_for_status()
response_1 = response.json()
if response_1["data"]["column"]["patientLevel"] == user_constant_0:
    response_1["data"]["column"]["datatype"] = response_0[0]["data"]["column"]["datatype"]
    response = requests.post(f"{BASE_URL}/api/sessions/{response_1['source']}/{response_1['type']}", json=response_1["data"])
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.tags", "value": response_1["data"]["tags"][1]})
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added": response_2["id"], "matches": response_3}
else:
    response_1["data"]["column"]["patientLevel"] = False
    response_1["data"]["owner"]["name"] = "Noor Rahman"
    requests.put(f"{BASE_URL}/api/sessions/{response_1['source']}/{response_1['type']}/{response_1['id']}", json=response_1["data"]).raise_for_status()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query/fetch", json={"data.column.label": "Treatment line"})
    response.raise_for_status()
    response_4 = response.json()
    RESULT = {"fetched": response_4}
