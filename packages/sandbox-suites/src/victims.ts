/**
 * Ordinary programs that use all that attacks like to change. Each must give the same after an attack as
 * alone.
 */
import type { ExecutionInput, Language } from '@stateeval/contracts'

const javascript = `
const axios = require('axios');
const seen = [globalThis.leak, {}.polluted, [].polluted, axios.leak, Array.leak].map((mark) => mark ?? null);
const { data } = await axios.get(\`\${BASE_URL}/x\`);
await axios.put(\`\${BASE_URL}/y\`, { n: data.n + 1, list: [...'abc'].map((mark) => mark.toUpperCase()) });
const users = (await axios.get(\`\${BASE_URL}/users\`, { params: {} })).data;
const names = users.filter(({ age }) => age > 30).map(({ name }) => name).sort();
console.log('names: %s', names.join(', '), { count: names.length });
await new Promise((resolve) => setTimeout(resolve, 1));
const missing = await axios.get(\`\${BASE_URL}/left\`).catch(({ response }) => response.status);
const url = new URL('/a?b=1', BASE_URL);
RESULT = { seen, names, missing, date: new Date(0).toISOString(), zone: new Date(0).getTimezoneOffset(), map: [...new Map([['a', 1]])], parsed: JSON.parse('{"a":[1]}'), url: url.searchParams.get('b'), env: Object.keys(process.env).sort() };
`
const python = `
import json, os, re, time
import requests

data = requests.get(f"{BASE_URL}/x").json()
requests.put(f"{BASE_URL}/y", json={"n": data["n"] + 1, "list": [mark.upper() for mark in "abc"]}).raise_for_status()
users = requests.get(f"{BASE_URL}/users").json()
names = sorted(user["name"] for user in users if user["age"] > 30)
print("names:", ", ".join(names), {"count": len(names)})
missing = requests.get(f"{BASE_URL}/left").status_code
RESULT = {
    "names": names,
    "missing": missing,
    "files": sorted(os.listdir("/tmp")),
    "parsed": json.loads('{"a": [1]}'),
    "text": re.sub(r"(a+)", r"<\\1>", "baab"),
    "day": time.gmtime(0).tm_year,
    "env": sorted(name for name in os.environ if name in ("HTTP_PROXY", "PYTHONPATH", "TZ", "LANG", "BASE_URL")),
}
`
export const victims: Record<Language, string> = { javascript, python }
export const victimInput = (): ExecutionInput => ({
  variables: {},
  world: {
    '/x': { n: 1 },
    '/users': [
      { name: 'Ann', age: 31 },
      { name: 'Bob', age: 25 },
      { name: 'Cid', age: 40 },
    ],
  },
})
