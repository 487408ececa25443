import requests

response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
response.raise_for_status()
response_0 = response.json()
requests.put(f"{BASE_URL}/api/sessions/{response_0[2]['source']}/{response_0[2]['type']}/{response_0[2]['id']}", json=user_variable_1["data"]).raise_for_status()
if len(response_0) == user_constant_0:
    response = requests.post(f"{BASE_URL}/api/sessions/{response_0[2]['source']}/{response_0[2]['type']}", json=response_0[2]["data"])
    response.raise_for_status()
    response_1 = response.json()
    response = requests.post(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}", json=user_variable_0["data"])
    response.raise_for_status()
    response_2 = response.json()
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}")
    response.raise_for_status()
    response_3 = response.json()
    RESULT = {"added_1": response_1["id"], "added_2": response_2["id"], "listing": response_3}
else:
    response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_1['source']}/{user_variable_1['type']}/query", params={"field": "data.tags", "value": response_0[1]["data"]["tags"][0]})
    response.raise_for_status()
    response_4 = response.json()
    if len(response_4) == user_constant_1:
        requests.delete(f"{BASE_URL}/api/sessions/{response_0[2]['source']}/{response_0[2]['type']}/{response_0[2]['id']}").raise_for_status()
        if response_4[0]["data"]["priority"] == user_constant_2:
            requests.put(f"{BASE_URL}/api/sessions/{response_4[0]['source']}/{response_4[0]['type']}/{response_4[0]['id']}", json=user_variable_2["data"]).raise_for_status()
            RESULT = {"matches": response_4}
        else:
            requests.delete(f"{BASE_URL}/api/sessions/{response_4[0]['source']}/{response_4[0]['type']}/{response_4[0]['id']}").raise_for_status()
            RESULT = {"matches": response_4}
    else:
        response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}")
        response.raise_for_status()
        response_5 = response.json()
        response = requests.get(f"{BASE_URL}/api/sessions/{user_variable_0['source']}/{user_variable_0['type']}/query", params={"field": "data.tags", "value": response_4[1]["data"]["tags"][0]})
        response.raise_for_status()
        response_6 = response.json()
        RESULT = {"listing": response_5, "matches": response_6}
