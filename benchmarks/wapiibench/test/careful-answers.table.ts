/**
 * Hand-written answers to tasks of published specifications, with what a careful reader says of each: the
 * summary, and the reason in words of the explanation.
 */
import type { RequestConfiguration } from '../case.ts'

type CarefulAnswer = readonly [name: string, code: string, sound: string, why?: string]
interface CarefulTask {
  /** A file of `specs`. */
  document: string
  title: string
  config: RequestConfiguration
  files?: Record<string, string>
  answers: readonly CarefulAnswer[]
}

const httpbin = 'https://httpbin.org'
const anything = `${httpbin}/anything`
const foo = { foo: 'a', bar: 'b' }
const stripe = 'https://api.stripe.com'
const bearer = { Authorization: 'Bearer <token>' }
const T = `headers: { Authorization: 'Bearer <token>' }`
const multipart = 'multipart/form-data'
const asForm = 'application/x-www-form-urlencoded'

export const carefulTasks: readonly CarefulTask[] = [
  {
    document: 'rm30-parameters-style.json',
    title: 'a query in the usual style',
    config: {
      url: `${anything}/query`,
      method: 'get',
      params: { primitive: 'x', array: ['1', '2'], object: { name: 'a', description: 'b' } },
    },
    answers: [
      [
        'as axios writes it',
        `axios.get('${anything}/query', { params: { primitive: 'x', array: ['1', '2'], object: { name: 'a', description: 'b' } } })`,
        'correct',
      ],
      [
        'as the style says',
        `axios.get('${anything}/query?primitive=x&array=1&array=2&name=a&description=b')`,
        'correct',
      ],
      [
        'a list with commas',
        `axios.get('${anything}/query?primitive=x&array=1,2&name=a&description=b')`,
        'wrong incorrect/params',
        'array is "1,2"',
      ],
      [
        'the object as JSON',
        `axios.get('${anything}/query', { params: { primitive: 'x', array: ['1', '2'], object: '{"name":"a","description":"b"}' } })`,
        'wrong incorrect/params',
        'the query parameter object is',
      ],
      [
        'URLSearchParams',
        `axios.get('${anything}/query', { params: new URLSearchParams([['primitive', 'x'], ['array', '1'], ['array', '2'], ['name', 'a'], ['description', 'b']]) })`,
        'correct',
      ],
    ],
  },
  {
    document: 'rm30-parameters-style.json',
    title: 'a query that is not exploded',
    config: { url: `${anything}/query/form`, method: 'get', params: { array: ['1', '2'], object: foo } },
    answers: [
      ['with commas', `axios.get('${anything}/query/form?array=1,2&object=foo,a,bar,b')`, 'correct'],
      [
        'joined in params',
        `axios.get('${anything}/query/form', { params: { array: ['1', '2'].join(','), object: 'bar,b,foo,a' } })`,
        'correct',
      ],
      [
        'repeated',
        `axios.get('${anything}/query/form?array=1&array=2&object=foo,a,bar,b')`,
        'wrong incorrect/params',
        'array is [["1"],["2"]]',
      ],
      [
        'members by name',
        `axios.get('${anything}/query/form?array=1,2&foo=a&bar=b')`,
        'illegal missing/params illegal/params:2',
        'object is missing',
      ],
    ],
  },
  {
    document: 'rm30-parameters-style.json',
    title: 'lists with other dividers',
    config: { url: `${anything}/query/pipeDelimited`, method: 'get', params: { array: ['a b', 'c'] } },
    answers: [
      ['bars', `axios.get('${anything}/query/pipeDelimited?array=a%20b|c')`, 'correct'],
      [
        'encoded bars',
        `axios.get('${anything}/query/pipeDelimited', { params: { array: 'a b|c' } })`,
        'correct',
      ],
      [
        'blanks',
        `axios.get('${anything}/query/pipeDelimited?array=a%20b%20c')`,
        'wrong incorrect/params',
        'expected: ["a b","c"]',
      ],
    ],
  },
  {
    document: 'rm30-parameters-style.json',
    title: 'a deep object',
    config: { url: `${anything}/query/deepObject`, method: 'get', params: { object: foo } },
    answers: [
      ['brackets', `axios.get('${anything}/query/deepObject?object[foo]=a&object[bar]=b')`, 'correct'],
      [
        'dots',
        `axios.get('${anything}/query/deepObject', { params: { object: { foo: 'a', bar: 'b' } }, paramsSerializer: { dots: true } })`,
        'illegal missing/params illegal/params:2',
        'object is missing',
      ],
    ],
  },
  {
    document: 'rm30-parameters-style.json',
    title: 'headers',
    config: {
      url: `${anything}/headers/simple`,
      method: 'get',
      headers: { array: '1,2', object: 'foo,a,bar,b' },
    },
    answers: [
      [
        'lists that axios joins',
        `axios.get('${anything}/headers/simple', { headers: { array: ['1', '2'], object: ['foo', 'a', 'bar', 'b'] } })`,
        'correct',
      ],
      [
        'in other letters',
        `axios.get('${anything}/headers/simple', { headers: { Array: '1, 2', OBJECT: 'bar,b,foo,a' } })`,
        'correct',
      ],
      [
        'exploded',
        `axios.get('${anything}/headers/simple', { headers: { array: '1,2', object: 'foo=a,bar=b' } })`,
        'wrong incorrect/headers',
        'the header object is "foo=a,bar=b"',
      ],
      [
        'in the query',
        `axios.get('${anything}/headers/simple', { params: { array: '1,2' }, headers: { object: 'foo,a,bar,b' } })`,
        'illegal missing/headers illegal/params',
        'array is missing',
      ],
    ],
  },
  {
    document: 'rm30-parameters-style.json',
    title: 'a path of matrices',
    config: { url: `${anything}/path/matrix/;primitive=x/;array=1,2/;object=foo,a,bar,b`, method: 'get' },
    answers: [
      [
        'as it is',
        `axios.get('${anything}/path/matrix/;primitive=x/;array=1,2/;object=foo,a,bar,b')`,
        'correct',
      ],
      [
        'encoded',
        `axios.get(\`${anything}/path/matrix/\${[';primitive=x', ';array=1,2', ';object=foo,a,bar,b'].map(encodeURIComponent).join('/')}\`)`,
        'correct',
      ],
      [
        'without names',
        `axios.get('${anything}/path/matrix/x/1,2/foo,a,bar,b')`,
        'wrong incorrect/path_params:3',
        'the path parameter primitive is "x"',
      ],
    ],
  },
  {
    document: 'rm30-parameters-style.json',
    title: 'a path of labels, exploded',
    config: { url: `${anything}/path/label/.x/.1.2/.foo=a.bar=b`, method: 'post' },
    answers: [
      ['as it is', `axios.post('${anything}/path/label/.x/.1.2/.foo=a.bar=b')`, 'correct'],
      [
        'with commas',
        `axios.post('${anything}/path/label/.x/.1,2/.foo=a.bar=b')`,
        'wrong incorrect/path_params',
        'the path parameter array is',
      ],
      [
        'the other method',
        `axios.get('${anything}/path/label/.x/.1.2/.foo=a.bar=b')`,
        'wrong method/wrong',
        'the method is get',
      ],
    ],
  },
  {
    document: 'rm30-parameters-style.json',
    title: 'a multipart form of a list and an object',
    config: {
      url: `${anything}/form-data/form`,
      method: 'post',
      headers: { 'Content-Type': multipart },
      data: { primitive: 'x', array: ['1', '2'] },
    },
    answers: [
      [
        'not exploded, as its encoding says',
        `const f = new FormData(); f.append('primitive', 'x'); f.append('array', '1,2'); axios.post('${anything}/form-data/form', f)`,
        'correct',
      ],
      [
        'repeated',
        `const f = new FormData(); f.append('primitive', 'x'); f.append('array', '1'); f.append('array', '2'); axios.post('${anything}/form-data/form', f)`,
        'wrong incorrect/data',
        'array is',
      ],
      [
        'JSON',
        `axios.post('${anything}/form-data/form', { primitive: 'x', array: ['1', '2'] })`,
        'illegal illegal/data',
        'takes a body of multipart/form-data',
      ],
      [
        'postForm',
        `axios.postForm('${anything}/form-data/form', { primitive: 'x', array: ['1', '2'] })`,
        'correct',
      ],
    ],
  },
  {
    document: 'rm30-parameters-cookies.json',
    title: 'cookies',
    config: { url: `${httpbin}/post`, method: 'post', headers: { Cookie: 'foo=1; bar=2' } },
    answers: [
      [
        'in another order',
        `axios.post('${httpbin}/post', null, { headers: { Cookie: 'bar=2; foo=1' } })`,
        'correct',
      ],
      [
        'as headers',
        `axios.post('${httpbin}/post', null, { headers: { foo: 1, bar: 2 } })`,
        'illegal missing/headers:2 illegal/headers:2',
        'foo is missing',
      ],
      [
        'one more',
        `axios.post('${httpbin}/post', {}, { headers: { cookie: 'foo=1;bar=2;baz=3' } })`,
        'illegal illegal/headers',
        'has no such header',
      ],
      [
        'in the wrong place',
        `axios.post('${httpbin}/post', { headers: { Cookie: 'foo=1; bar=2' } })`,
        'illegal missing/headers:2 illegal/data',
        'foo is missing',
      ],
      [
        'another value',
        `axios.post('${httpbin}/post', undefined, { headers: { Cookie: 'foo=1; bar=3' } })`,
        'wrong incorrect/headers',
        'is "3"; expected: "2"',
      ],
    ],
  },
  {
    document: 'rm30-form-data.json',
    title: 'a form',
    config: {
      url: anything,
      method: 'post',
      headers: { 'Content-Type': asForm },
      data: { client_id: 'a b', client_secret: 's', scope: '7' },
    },
    answers: [
      [
        'URLSearchParams',
        `axios.post('${anything}', new URLSearchParams({ client_id: 'a b', client_secret: 's', scope: 7 }))`,
        'correct',
      ],
      ['a text', `axios.post('${anything}', 'client_id=a+b&client_secret=s&scope=7')`, 'correct'],
      [
        'qs',
        `const qs = require('qs'); axios.post('${anything}', qs.stringify({ scope: 7, client_id: 'a b', client_secret: 's' }))`,
        'correct',
      ],
      [
        'an object with its header',
        `axios.post('${anything}', { client_id: 'a b', client_secret: 's', scope: 7 }, { headers: { 'content-type': '${asForm}' } })`,
        'correct',
      ],
      [
        'JSON',
        `axios.post('${anything}', { client_id: 'a b', client_secret: 's', scope: 7 })`,
        'illegal incorrect/data illegal/data',
        'scope is 7',
      ],
      [
        'a multipart form',
        `axios.postForm('${anything}', { client_id: 'a b', client_secret: 's', scope: 7 })`,
        'illegal illegal/data',
        'is illegal',
      ],
      [
        'in the query',
        `axios.post('${anything}', null, { params: { client_id: 'a b', client_secret: 's', scope: 7 } })`,
        'illegal illegal/params:3 missing/data:3',
        'is missing',
      ],
    ],
  },
  {
    document: 'rm30-file-uploads.json',
    title: 'a file with fields',
    config: {
      url: `${anything}/multipart-formdata`,
      method: 'post',
      headers: { 'Content-Type': multipart },
      data: { orderId: '7', documentFile: 'Call me Ishmael.' },
    },
    files: { 'moby.txt': 'Call me Ishmael.' },
    answers: [
      [
        'a Blob',
        `const f = new FormData(); f.append('orderId', '7'); f.append('documentFile', new Blob(['Call me Ishmael.']), 'moby.txt'); axios.post('${anything}/multipart-formdata', f)`,
        'correct',
      ],
      [
        'form-data with a stream',
        `const FormData = require('form-data'); const fs = require('fs'); const f = new FormData(); f.append('orderId', 7); f.append('documentFile', fs.createReadStream('moby.txt')); axios.post('${anything}/multipart-formdata', f, { headers: f.getHeaders() })`,
        'correct',
      ],
      [
        'postForm with a stream',
        `const fs = require('fs'); axios.postForm('${anything}/multipart-formdata', { orderId: 7, documentFile: fs.createReadStream('./moby.txt') })`,
        'correct',
      ],
      [
        'the name of the file',
        `axios.postForm('${anything}/multipart-formdata', { orderId: 7, documentFile: 'moby.txt' })`,
        'wrong incorrect/data',
        'documentFile is "moby.txt"',
      ],
      [
        'a field as a file',
        `const f = new FormData(); f.append('orderId', new Blob(['7']), 'order.txt'); f.append('documentFile', new Blob(['Call me Ishmael.']), 'moby.txt'); axios.post('${anything}/multipart-formdata', f)`,
        'wrong incorrect/data',
        'orderId is',
      ],
      [
        'under another name',
        `const f = new FormData(); f.append('orderId', '7'); f.append('file', new Blob(['Call me Ishmael.'])); axios.post('${anything}/multipart-formdata', f)`,
        'illegal missing/data illegal/data',
        'documentFile is missing',
      ],
    ],
  },
  {
    document: 'rm30-file-uploads.json',
    title: 'several files',
    config: {
      url: `${anything}/multipart-formdata`,
      method: 'put',
      headers: { 'Content-Type': multipart },
      data: { filename: ['one', 'two'] },
    },
    answers: [
      [
        'Blobs',
        `const f = new FormData(); for (const t of ['one', 'two']) f.append('filename', new Blob([t]), t + '.txt'); axios.put('${anything}/multipart-formdata', f)`,
        'correct',
      ],
      [
        'in another order',
        `const f = new FormData(); for (const t of ['two', 'one']) f.append('filename', new Blob([t]), t + '.txt'); axios.put('${anything}/multipart-formdata', f)`,
        'wrong incorrect/data',
        'filename is',
      ],
    ],
  },
  {
    document: 'rm30-schema-encoding-style.json',
    title: 'an encoding with a style',
    config: {
      url: `${httpbin}/form/primitive`,
      method: 'put',
      headers: { 'Content-Type': multipart },
      data: { array: ['1', '2'], object: foo },
    },
    answers: [
      [
        'exploded',
        `const f = new FormData(); f.append('array', '1'); f.append('array', '2'); f.append('object[foo]', 'a'); f.append('object[bar]', 'b'); axios.put('${httpbin}/form/primitive', f)`,
        'correct',
      ],
      [
        'the object as JSON',
        `const f = new FormData(); f.append('array', '1'); f.append('array', '2'); f.append('object', JSON.stringify({ bar: 'b', foo: 'a' })); axios.put('${httpbin}/form/primitive', f)`,
        'correct',
      ],
    ],
  },
  {
    document: 'rm30-parameters-extreme.json',
    title: 'every kind of parameter',
    config: {
      url: `${anything}/all-param-types/1/2`,
      method: 'post',
      headers: { Cookie: 'cookieInt=5', 'Content-Type': 'application/json' },
      params: { queryParam: 'q' },
      data: { name: 'Rex', photoUrls: ['u'] },
    },
    answers: [
      [
        'all of them',
        `axios.post('${anything}/all-param-types/1/2?queryParam=q', { name: 'Rex', photoUrls: ['u'] }, { headers: { Cookie: 'cookieInt=5' } })`,
        'correct',
      ],
      [
        'a text of JSON',
        `axios.post('${anything}/all-param-types/1/2', JSON.stringify({ name: 'Rex', photoUrls: ['u'] }), { params: { queryParam: 'q' }, headers: { Cookie: 'cookieInt=5', 'Content-Type': 'application/json' } })`,
        'correct',
      ],
      [
        'a text of JSON without its type',
        `axios.post('${anything}/all-param-types/1/2', JSON.stringify({ name: 'Rex', photoUrls: ['u'] }), { params: { queryParam: 'q' }, headers: { Cookie: 'cookieInt=5' } })`,
        'illegal illegal/data',
        'takes a body of application/json',
      ],
      [
        'the path exchanged',
        `axios.post('${anything}/all-param-types/2/1?queryParam=q', { name: 'Rex', photoUrls: ['u'] }, { headers: { Cookie: 'cookieInt=5' } })`,
        'wrong incorrect/path_params:2',
        'the path parameter id is "2"',
      ],
    ],
  },
  {
    document: 'stripe-2023.yaml',
    title: 'a form of deep objects',
    config: {
      url: `${stripe}/v1/charges`,
      method: 'post',
      headers: { ...bearer, 'Content-Type': asForm },
      data: { amount: '700', currency: 'usd', metadata: { order: '7' }, expand: ['customer'] },
    },
    answers: [
      [
        'as axios writes it',
        `axios.post('${stripe}/v1/charges', { amount: 700, currency: 'usd', metadata: { order: 7 }, expand: ['customer'] }, { headers: { Authorization: 'Bearer <token>', 'Content-Type': '${asForm}' } })`,
        'correct',
      ],
      [
        'brackets in a text',
        `axios.post('${stripe}/v1/charges', 'amount=700&currency=usd&metadata[order]=7&expand[]=customer', { ${T} })`,
        'correct',
      ],
      [
        'an index',
        `axios.post('${stripe}/v1/charges', 'amount=700&currency=usd&metadata[order]=7&expand[0]=customer', { ${T} })`,
        'correct',
      ],
      [
        'JSON',
        `axios.post('${stripe}/v1/charges', { amount: '700', currency: 'usd', metadata: { order: '7' }, expand: ['customer'] }, { ${T} })`,
        'illegal illegal/data',
        'takes a body of application/x-www-form-urlencoded',
      ],
      [
        'another amount',
        `axios.post('${stripe}/v1/charges', 'amount=7.00&currency=usd&metadata[order]=7&expand[]=customer', { ${T} })`,
        'wrong incorrect/data',
        'amount is "7.00"',
      ],
    ],
  },
  {
    document: 'stripe-2023.yaml',
    title: 'basic credentials',
    config: {
      url: `${stripe}/v1/customers`,
      method: 'get',
      headers: { Authorization: 'Basic <key>' },
      params: { limit: 3, created: { gt: 1700000000 } },
    },
    answers: [
      [
        'by auth',
        `axios.get('${stripe}/v1/customers', { params: { limit: 3, created: { gt: 1700000000 } }, auth: { username: '<key>', password: '' } })`,
        'correct',
      ],
      [
        'by the URL',
        `axios.get('https://key:@api.stripe.com/v1/customers?limit=3&created[gt]=1700000000')`,
        'correct',
      ],
      [
        'by a bearer',
        `axios.get('${stripe}/v1/customers', { params: { limit: 3, created: { gt: 1700000000 } }, headers: { Authorization: 'Bearer <key>' } })`,
        'wrong incorrect/headers',
        'Authorization is "Bearer <key>"',
      ],
      [
        'a date',
        `axios.get('${stripe}/v1/customers', { params: { limit: 3, created: 1700000000 }, auth: { username: '<key>' } })`,
        'wrong incorrect/params',
        'created is 1700000000',
      ],
    ],
  },
  {
    document: 'box.json',
    title: 'a server of its own, and a file',
    config: {
      url: 'https://upload.box.com/api/2.0/files/content',
      method: 'post',
      headers: { ...bearer, 'Content-Type': multipart },
      params: { fields: ['id', 'name'] },
      data: { attributes: { name: 'moby.txt', parent: { id: '0' } }, file: 'Call me Ishmael.' },
    },
    files: { 'moby.txt': 'Call me Ishmael.' },
    answers: [
      [
        'the attributes as JSON',
        `const f = new FormData(); f.append('attributes', JSON.stringify({ name: 'moby.txt', parent: { id: '0' } })); f.append('file', new Blob(['Call me Ishmael.']), 'moby.txt'); axios.post('https://upload.box.com/api/2.0/files/content?fields=id,name', f, { ${T} })`,
        'correct',
      ],
      [
        'another parent',
        `const f = new FormData(); f.append('attributes', JSON.stringify({ name: 'moby.txt', parent: { id: '1' } })); f.append('file', new Blob(['Call me Ishmael.']), 'moby.txt'); axios.post('https://upload.box.com/api/2.0/files/content?fields=id,name', f, { ${T} })`,
        'wrong incorrect/data',
        'attributes is',
      ],
      [
        'the fields repeated',
        `const f = new FormData(); f.append('attributes', '{"name":"moby.txt","parent":{"id":"0"}}'); f.append('file', new Blob(['Call me Ishmael.']), 'moby.txt'); axios.post('https://upload.box.com/api/2.0/files/content?fields=id&fields=name', f, { ${T} })`,
        'wrong incorrect/params',
        'fields is',
      ],
      [
        'the server of the document',
        `const f = new FormData(); f.append('attributes', '{"name":"moby.txt","parent":{"id":"0"}}'); f.append('file', new Blob(['Call me Ishmael.']), 'moby.txt'); axios.post('https://api.box.com/2.0/files/content?fields=id,name', f, { ${T} })`,
        'wrong url/wrong incorrect/data unnecessary/path_params',
        'the URL is https://api.box.com/2.0/files/content',
      ],
    ],
  },
]
