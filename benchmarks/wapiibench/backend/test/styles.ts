/**
 * Ways to ask axios for a request, as models write them. `error`: so it ends.
 */
interface Style {
  name: string
  code: string
  /** axios-mock-adapter is no peer here: why. */
  unlike?: string
}

const style = (name: string, code: string, more: Omit<Style, 'name' | 'code'> = {}): Style => ({
  name,
  code,
  ...more,
})
const api = 'https://api.example.com/v1'

export const styles: readonly Style[] = [
  style('get', `await axios.get('${api}/tasks')`),
  style(
    'get with params',
    `await axios.get('${api}/tasks', { params: { limit: 5, opt: true, none: null, missing: undefined } })`,
  ),
  style('a query in the url', `await axios.get('${api}/tasks?a=1&b=c%20d')`),
  style('a query in both', `await axios.get('${api}/tasks?a=1', { params: { b: 2 } })`),
  style('arrays in params', `await axios.get('${api}/tasks', { params: { ids: [1, 2], names: ['a b'] } })`),
  style('nested params', `await axios.get('${api}/tasks', { params: { where: { a: { b: [1] } } } })`),
  style('a date in params', `await axios.get('${api}/tasks', { params: { since: new Date(86400000) } })`),
  style(
    'URLSearchParams as params',
    `await axios.get('${api}/tasks', { params: new URLSearchParams({ a: '1' }) })`,
  ),
  style(
    'a paramsSerializer',
    `await axios.get('${api}/t', { params: { ids: [1, 2] }, paramsSerializer: { indexes: null } })`,
  ),
  style('axios(config)', `await axios({ method: 'POST', url: '${api}/tasks', data: { name: 'x' } })`),
  style('axios(url)', `await axios('${api}/tasks')`),
  style('axios(url, config)', `await axios('${api}/tasks', { method: 'delete' })`),
  style('axios.request', `await axios.request({ url: '${api}/tasks', method: 'patch', data: [1, 2] })`),
  style('post', `await axios.post('${api}/tasks', { data: { name: 'é', due: null, n: 1.5 } })`),
  style('post without a body', `await axios.post('${api}/tasks')`),
  style('post null', `await axios.post('${api}/tasks', null, { headers: { Authorization: 'Bearer t' } })`),
  style('post a text', `await axios.post('${api}/tasks', 'a=1&b=2')`),
  style(
    'post JSON text',
    `await axios.post('${api}/t', JSON.stringify({ a: 1 }), { headers: { 'Content-Type': 'application/json' } })`,
  ),
  style('post a number', `await axios.post('${api}/tasks', 5)`),
  style(
    'post a boolean as JSON',
    `await axios.post('${api}/tasks', true, { headers: { 'content-type': 'application/json' } })`,
  ),
  style('post an array', `await axios.post('${api}/tasks', [{ a: 1 }, 'b'])`),
  style('post an empty object', `await axios.post('${api}/tasks', {})`),
  style(
    'post URLSearchParams',
    `await axios.post('${api}/tasks', new URLSearchParams({ a: '1', b: 'c d' }))`,
  ),
  style(
    'a form by its header',
    `await axios.post('${api}/t', { a: 1, b: [2, 3], c: { d: null } }, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })`,
  ),
  style(
    'a multipart form by its header',
    `await axios.post('${api}/t', { a: 1, b: [2] }, { headers: { 'Content-Type': 'multipart/form-data' } })`,
  ),
  style('postForm', `await axios.postForm('${api}/tasks', { a: 1, 'b[]': ['x'] })`),
  style(
    'FormData',
    `const form = new FormData(); form.append('a', '1'); form.append('a', '2'); await axios.post('${api}/t', form)`,
  ),
  style('a Buffer', `await axios.post('${api}/t', Buffer.from('hi'))`),
  style('typed arrays', `await axios.post('${api}/t', new Uint8Array([1, 2]))`),
  style(
    'put',
    `await axios.put('${api}/tasks/1', { a: 1 }, { headers: { 'X-One': 1, 'x-two': null, 'X-Three': false, 'X-Many': ['a', 'b'] } })`,
  ),
  style('patch', `await axios.patch('${api}/tasks/1', { a: 1 })`),
  style('delete with data', `await axios.delete('${api}/tasks/1', { data: { force: true } })`),
  style('get with data', `await axios.get('${api}/tasks', { data: { a: 1 } })`),
  style('head and options', `await axios.head('${api}/tasks'); await axios.options('${api}/tasks')`),
  style(
    'cases of headers',
    `await axios.get('${api}/t', { headers: { authorization: 'Bearer t', ACCEPT: 'text/plain', 'content-type': 'a/b' } })`,
  ),
  style('auth', `await axios.get('${api}/t', { auth: { username: 'u', password: 'p' } })`),
  style(
    'an instance',
    `const api = axios.create({ baseURL: '${api}/', headers: { 'X-A': '1' } }); await api.get('tasks', { params: { a: 1 } })`,
  ),
  style(
    'an instance of an instance',
    `const a = axios.create({ baseURL: '${api}' }); await a.create({ headers: { b: 'c' } }).post('/x', { a: 1 })`,
  ),
  style(
    'defaults',
    `axios.defaults.baseURL = '${api}'; axios.defaults.headers.common['Authorization'] = 'Bearer t'; await axios.get('/tasks')`,
  ),
  style(
    'interceptors',
    `axios.interceptors.request.use((config) => { config.headers['X-Added'] = 'yes'; return config }); axios.interceptors.response.use((r) => r.status); await axios.get('${api}/t')`,
  ),
  style(
    'transformRequest',
    `await axios.post('${api}/t', { a: 1 }, { transformRequest: [(data) => 'changed ' + JSON.stringify(data)] })`,
  ),
  style(
    'transformRequest to an object',
    `await axios.post('${api}/t', { a: 1 }, { transformRequest: (data) => ({ wrapped: data }) })`,
  ),
  style(
    'several calls',
    `await axios.get('${api}/a'); await axios.post('${api}/b', { n: 1 }); await axios.get('${api}/c')`,
  ),
  style('several at once', `await Promise.all(['a', 'b', 'c'].map((name) => axios.get('${api}/' + name)))`),
  style('not awaited', `axios.post('${api}/t', { a: 1 }).then((r) => r.data).catch(() => {})`),
  style('after a while', `setTimeout(() => axios.get('${api}/late'), 20)`),
  style('a call never reached', `if (false) await axios.get('${api}/t')`),
  style('a call behind an error', `null.x; await axios.get('${api}/t')`),
  style('an error behind a call', `const r = await axios.get('${api}/t'); r.data.items.length`),
  style(
    'a cycle in params',
    `const a = {}; a.a = a; await axios.post('${api}/t', 'x', { headers: { 'Content-Type': 'text/plain' }, params: a })`,
    {
      unlike: 'it records nothing and answers',
    },
  ),
  style('no url', `await axios.get()`),
  style('a malformed url', `await axios.get('http://%zz:x/')`),
  style('a relative url', `await axios.get('/tasks/1#part')`),
  style('URL objects', `await axios.get(new URL('${api}/t?x=1'))`, {
    unlike: 'the configuration holds the object',
  }),
  style('import', `const { default: a, get } = await import('axios'); await a.post('${api}/t', { a: 1 })`, {
    unlike: 'its import is another copy of axios',
  }),
]
