/** Arguments of calls as JSON texts that readers, worlds and judges may fail over. */
export const hostileArguments: Readonly<Record<string, string>> = {
  'no arguments': '',
  'a text': '"x"',
  'a list': '[1]',
  'an object that does not end': '{"a":',
  'a byte order mark': '\ufeff{}',
  NUL: '{"a":"\0"}',
  'lone halves of characters, escaped': String.raw`{"a":"\ud800","\udc00":1}`,
  'lone halves of characters': '{"a":"\ud800"}',
  'prototype names':
    '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1,"hasOwnProperty":0}',
  'numbers that are none': '{"a":NaN,"b":Infinity,"c":-Infinity}',
  'numbers without end': '{"a":1e999,"b":-1e999,"c":1e-999}',
  'a number of 100,000 digits': `{"a":${'9'.repeat(100_000)}}`,
  'the same key twice': '{"a":1,"a":2}',
  nesting: `{"a":${'['.repeat(500)}${']'.repeat(500)}}`,
  'nesting beyond the stack': `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a text of 1.9 MB': `{"a":"${'x'.repeat(1_900_000)}"}`,
  '50,000 keys': JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))),
  '400,000 lists': `{"a":[${'[],'.repeat(399_999)}[]]}`,
  'operators of a database': '{"filter":{"$where":"for(;;);"},"a":{"$size":1e300},"$or":[]}',
  'forms of large values': '{"$tensor":{"dtype":"float32","shape":[1e9,1e9],"data":"AAAA"}}',
}
