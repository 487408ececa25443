/** The documentation for JavaScript, with axios. */
import { writeServiceDocumentation } from './text.ts'

export const javascript = writeServiceDocumentation({
  fence: 'js',
  use: `Use axios for the requests; it is available through \`require('axios')\` or \`import axios from 'axios'\`.`,
  errors: 'axios throws on them.',
  examples: {
    listSessions: `const sessions = (await axios.get(\`\${BASE_URL}/api/sessions/portal/settings\`)).data;`,
    addSession: `const added = (await axios.post(\`\${BASE_URL}/api/sessions/portal/settings\`, { title: 'Overview', columns: 3 })).data;
const id = added.id;`,
    querySessions: `const found = (await axios.get(\`\${BASE_URL}/api/sessions/portal/settings/query\`, { params: { field: 'data.title', value: 'Overview' } })).data;`,
    updateSession: `await axios.put(\`\${BASE_URL}/api/sessions/portal/settings/\${id}\`, { title: 'Overview', columns: 4 });`,
    deleteSession: `await axios.delete(\`\${BASE_URL}/api/sessions/portal/settings/\${id}\`);`,
    getSession: `const session = (await axios.get(\`\${BASE_URL}/api/sessions/portal/settings/\${id}\`)).data;`,
    fetchSessions: `const found = (await axios.post(\`\${BASE_URL}/api/sessions/portal/settings/query/fetch\`, { 'data.columns': { $gt: 2 } })).data;`,
  },
})
