import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.owner.institute", "value": "Dana Farber"})
response.raise_for_status()
response_0 = response.json()
response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query/fetch", json={"data.owner.institute": "Dana Farber"})
response.raise_for_status()
response_1 = response.json()
user_variable_1["data"]["column"]["patientLevel"] = response_1[0]["data"]["column"]["patientLevel"]
requests.put(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}", json=user_variable_1["data"]).raise_for_status()
if len(response_1) == user_constant_0:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.column.datatype", "value": response_1[0]["data"]["column"]["datatype"]})
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"matches": response_2, "session": response_3}
else:
    response_1[0]["data"]["column"]["datatype"] = "score"
    response = requests.post(f"{BASE_URL}/api/sessions/{response_1[0]['source']}/{response_1[0]['type']}", json=response_1[0]["data"])
    response.raise_for_status()
    response_4 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.title", "value": response_0[0]["data"]["title"]})
    response.raise_for_status()
    response_5 = response.json()
    RESULT = {"added": response_4["id"], "matches": response_5}
