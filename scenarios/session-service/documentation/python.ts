/** The documentation for Python, with requests. */
import { writeServiceDocumentation } from './text.ts'

export const python = writeServiceDocumentation({
  fence: 'python',
  use: 'Use requests for the requests; it is available through `import requests`.',
  errors: 'requests raises them where `raise_for_status()` is called.',
  examples: {
    listSessions: `response = requests.get(f"{BASE_URL}/api/sessions/portal/settings")
response.raise_for_status()
sessions = response.json()`,
    addSession: `response = requests.post(f"{BASE_URL}/api/sessions/portal/settings", json={"title": "Overview", "columns": 3})
response.raise_for_status()
id = response.json()["id"]`,
    querySessions: `response = requests.get(f"{BASE_URL}/api/sessions/portal/settings/query", params={"field": "data.title", "value": "Overview"})
response.raise_for_status()
found = response.json()`,
    updateSession: `requests.put(f"{BASE_URL}/api/sessions/portal/settings/{id}", json={"title": "Overview", "columns": 4}).raise_for_status()`,
    deleteSession: `requests.delete(f"{BASE_URL}/api/sessions/portal/settings/{id}").raise_for_status()`,
    getSession: `response = requests.get(f"{BASE_URL}/api/sessions/portal/settings/{id}")
response.raise_for_status()
session = response.json()`,
    fetchSessions: `response = requests.post(f"{BASE_URL}/api/sessions/portal/settings/query/fetch", json={"data.columns": {"$gt": 2}})
response.raise_for_status()
found = response.json()`,
  },
})
