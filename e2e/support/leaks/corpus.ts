/**
 * Generates test files for the leak scan: keys of many formats in typical places, and texts that only look like keys. The same seed gives the
 * same files.
 */

/** Returns a random integer from 0 to `below` - 1. The same seed gives the same numbers. */
export type Pick = (below: number) => number

export function seeded(seed: number): Pick {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const of = (alphabet: string, length: number, pick: Pick): string => Array.from({ length }, () => alphabet.charAt(pick(alphabet.length))).join('')
const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const base62 = digits + upper + lower

/** Generators of API keys in every format. They generate the text after the prefix `SVC`. */
export const shapes: Readonly<Record<string, (pick: Pick) => string>> = {
  'hex of 24 bytes': (pick) => of('0123456789abcdef', 48, pick),
  'hex of 16 bytes': (pick) => of('0123456789abcdef', 32, pick),
  'hex in capitals': (pick) => of('0123456789ABCDEF', 40, pick),
  'base32 in capitals': (pick) => of(`${upper}234567`, 32, pick),
  'base32 in small letters': (pick) => of(`${lower}234567`, 32, pick),
  base62: (pick) => of(base62, 40, pick),
  base64url: (pick) => of(`${base62}-_`, 43, pick),
  'base64 with + and /': (pick) => of(`${base62}+/`, 40, pick),
  'with ~': (pick) => of(`${base62}~`, 36, pick),
  dotted: (pick) => `${of(base62, 12, pick)}.${of(base62, 28, pick)}`,
  'like a UUID': (pick) => `-${[8, 4, 4, 4, 12].map((length) => of('0123456789abcdef', length, pick)).join('-')}`,
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const wrapped = (text: string, width: number, indent = ''): string => text.replace(new RegExp(`.{${width}}`, 'g'), `$&\n${indent}`)
const everyByte = (text: string, before: string): string => [...Buffer.from(text)].map((byte) => before + byte.toString(16).padStart(2, '0')).join('')
const quotedPrintable = (text: string): string => text.replaceAll('=', '=3D').replace(/.{72}/g, '$&=\n')
/** Surrounds the key with random text, so that the key’s position varies within base64 groups and lines. */
const around = (key: string, pick: Pick): string => `${of(`${lower} \n`, pick(90), pick)}\nSVC_API_KEY=${key}\n${of(`${lower} \n`, 40, pick)}`

/** Typical files of a project, each with the key inside. */
export const forms: Readonly<Record<string, (key: string, pick: Pick) => string | Buffer>> = {
  env: (key) => `DEBUG=1\nSVC_API_KEY=${key}\nPORT=80\n`,
  'env in quotes': (key) => `SVC_API_KEY="${key}"\n`,
  'env with CRLF': (key) => `A=1\r\nSVC_API_KEY=${key}\r\nB=2\r\n`,
  'shell export': (key) => `#!/bin/sh\nexport SVC_API_KEY='${key}'\n`,
  'shell history': (key) => `ls\nSVC_API_KEY=${key} ./bot --live\ncd ..\n`,
  fish: (key) => `set -gx SVC_API_KEY ${key}\n`,
  PowerShell: (key) => `$env:SVC_API_KEY = "${key}"\r\n`,
  'cmd of Windows': (key) => `set SVC_API_KEY=${key}\r\n`,
  JSON: (key) => JSON.stringify({ name: 'bot', apiKey: key }, null, 2),
  'JSON in JSON': (key) => JSON.stringify({ log: JSON.stringify({ level: 'info', key }) }),
  'JSON after a line break': (key) => JSON.stringify({ message: `the key is\n${key}\nand that is all` }),
  'JSON after a tab': (key) => JSON.stringify({ row: `bot\t${key}\tlive` }),
  'JSON of PHP': (key) => JSON.stringify({ key }).replaceAll('/', '\\/'),
  'JSON lines': (key) => `${JSON.stringify({ t: 1, m: 'start' })}\n${JSON.stringify({ t: 2, m: `use ${key}` })}\n`,
  notebook: (key) => JSON.stringify({ cells: [{ cell_type: 'code', source: ['import os\n', `key = "${key}"\n`], outputs: [{ text: [`\n${key}\n`] }] }] }),
  YAML: (key) => `service:\n  api_key: ${key}\n  live: true\n`,
  'YAML block': (key) => `env: |\n  A=1\n  SVC_API_KEY=${key}\n`,
  TOML: (key) => `[service]\nkey = "${key}"\n`,
  INI: (key) => `[service]\nkey=${key}\n`,
  'Java properties': (key) => `svc.api.key=${key}\n`,
  XML: (key) => `<config><key>${key}</key></config>\n`,
  'XML attribute': (key) => `<add key="svc" value="${key}" />\n`,
  HTML: (key) => `<p>Key: ${key.replaceAll('+', '&#43;').replaceAll('=', '&#61;')}</p>\n`,
  'Terraform state': (key) =>
    JSON.stringify({ version: 4, resources: [{ instances: [{ attributes: { content: `A=1\nSVC_API_KEY=${key}\n`, other: `\n${key}` } }] }] }, null, 2),
  'Terraform variables': (key) => `svc_api_key = "${key}"\n`,
  'docker-compose': (key) => `services:\n  bot:\n    environment:\n      - SVC_API_KEY=${key}\n`,
  Dockerfile: (key) => `FROM node\nENV SVC_API_KEY ${key}\n`,
  'Kubernetes manifest': (key) => `kind: Secret\nstringData:\n  key: ${key}\n`,
  'Kubernetes secret in base64': (key) => `kind: Secret\ndata:\n  key: ${base64(key)}\n`,
  'GitHub workflow': (key) => `env:\n  SVC_API_KEY: ${key} # TODO\n`,
  'log of CI with colours': (key) => `\u001b[32m+ run\u001b[0m\nkey \u001b[1m${key}\u001b[0m done\n`,
  'log with written colours': (key) => `key \\x1b[1m${key}\\x1b[0m and \\u001b[33m\n`,
  'access log': (key) => `10.0.0.1 - - [24/Nov/2026:03:00:00] "GET /v1/markets?api_key=${encodeURIComponent(key)} HTTP/1.1" 200 12\n`,
  URL: (key) => `https://api.example.com/v1/markets?key=${encodeURIComponent(key)}&limit=5\n`,
  'URL in a URL': (key) => `https://example.com/?next=https%3A%2F%2Fapi.example.com%2F%3Fkey%3D${encodeURIComponent(key)}\n`,
  'every byte percent-encoded': (key) => `q=${everyByte(key, '%')}&a=1\n`,
  'form body': (key) => `grant=bot&key=${encodeURIComponent(key)}\n`,
  'base64, plain': (key, pick) => base64(around(key, pick)),
  'base64 at 64': (key, pick) => wrapped(base64(around(key, pick)), 64),
  'base64 at 76': (key, pick) => wrapped(base64(around(key, pick)), 76),
  'base64 at 76 with CRLF': (key, pick) => wrapped(base64(around(key, pick)), 76).replaceAll('\n', '\r\n'),
  'base64, indented': (key, pick) => `data: |\n    ${wrapped(base64(around(key, pick)), 64, '    ')}\n`,
  'base64url of a token': (key, pick) => `${Buffer.from(around(key, pick)).toString('base64url')}\n`,
  'basic authorization': (key) => `Authorization: Basic ${base64(`bot:${key}`)}\n`,
  hexadecimal: (key, pick) => Buffer.from(around(key, pick)).toString('hex'),
  'UTF-16 of PowerShell': (key) => Buffer.from(`\ufeffSVC_API_KEY=${key}\r\n`, 'utf16le'),
  'UTF-16 without a mark': (key) => Buffer.from(`SVC_API_KEY=${key}\r\n`, 'utf16le'),
  'quoted-printable': (key) => quotedPrintable(`Dear all, the key of the bot is this one, please keep it:\n\nSVC_API_KEY=${key} and that is all\n`),
  JavaScript: (key) => `const key = '${key}'\n`,
  TypeScript: (key) => `const key: string = \`${key}\`\n`,
  Python: (key) => `KEY = "${key}"  # remove\n`,
  Go: (key) => `const key = "${key}"\n`,
  Rust: (key) => `let key = "${key}".to_string();\n`,
  'C#': (key) => `var key = "a\\n${key}";\n`,
  SQL: (key) => `INSERT INTO settings VALUES ('key', '${key}');\n`,
  CSV: (key) => `name,key,live\nbot,${key},true\n`,
  TSV: (key) => `name\tkey\nbot\t${key}\n`,
  Markdown: (key) => `Use \`${key}\` for **tests**.\n`,
  'Markdown list': (key) => `* key: *${key}*\n* _${key}_\n`,
  'list of keys': (key, pick) => `SVC${of('0123456789abcdef', 48, pick)}\n${key}\n`,
  HAR: (key) => JSON.stringify({ log: { entries: [{ request: { headers: [{ name: 'X-SVC-API-KEY', value: key }], postData: { text: `{"k":"${key}"}` } } }] } }),
  curl: (key) => `curl -H 'X-SVC-API-KEY: ${key}' https://api.example.com/v1/keys\n`,
  'curl with a line break': (key) => `curl \\\n  -H $'X-SVC-API-KEY:\\t${key}' \\\n  https://api.example.com\n`,
  'git diff': (key) => `--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-SVC_API_KEY=\n+SVC_API_KEY=${key}\n`,
  'git diff of a file with the key alone': (key) => `@@ -0,0 +1 @@\n+${key}\n\\ No newline at end of file\n`,
  'stack trace': (key) => `Error: 401 for ${key}\n    at send (bot.js:10:5)\n    at main (bot.js:2:1)\n`,
  'name with an underscore': (key) => `backup_${key}_old\n`,
  'name behind a letter': (key) => `file=key${key}.txt\n`,
  'mail header': (key) => `Subject: key\r\nX-Key: <${key}>\r\n\r\n`,
  'core of a chat': (key) => `[12:03] ana: try "${key}", it worked for me\n`,
  'systemd unit': (key) => `[Service]\nEnvironment=SVC_API_KEY=${key}\n`,
  netrc: (key) => `machine api.example.com login bot password ${key}\n`,
}

/** Texts that start like an API key but are not API keys. */
export const lookAlikes: Readonly<Record<string, (pick: Pick) => string>> = {
  'error code': () => 'SVC_ERROR_CODE_0x8007045B',
  'error codes': (pick) => `SVC_E_${of(upper, 6, pick)}_${of(digits, 5, pick)}`,
  version: () => 'SVC-1.2.3-beta.4-build.20260101',
  'version of a release': (pick) => `SVC-${pick(9)}.${pick(30)}.${pick(9)}-rc.${pick(5)}+build.${20_260_000 + pick(1_000)}`,
  'report by date': (pick) => `SVC-REPORT-2026-${of(digits, 2, pick)}-FINAL.pdf`,
  'time stamp': (pick) => `SVC_20261124_${of(digits, 6, pick)}.log`,
  counter: (pick) => `SVC${of(digits, 16, pick)}`,
  'name of a class': (pick) => `SVCOrderHandlerV${pick(9)}Factory`,
  'name of a variable': (pick) => `SVC_API_KEY_FOR_PRODUCTION_${pick(9)}`,
  'variable in a shell': () => '$' + '{SVC_API_KEY_OF_PROD_2}',
  'name of a test': (pick) => `SVC_test_handles_retry_after_${pick(99)}_seconds`,
  placeholder: () => 'SVCxxxxxxxxxxxxxxxxxxxxxxxx1',
  'your key': () => 'SVC-your-key-goes-here-12345',
  example: (pick) => `SVCEXAMPLE${of('0123456789abcdef', 24, pick)}`,
  zeros: () => `SVC${'0'.repeat(47)}1`,
  sequence: () => 'SVC0123456789abcdef0123456789abcdef',
  alphabet: () => 'SVCabcdefghijklmnopqrstuvwxyz0123456789',
  repeated: () => `SVC${'deadbeef'.repeat(5)}0`,
  'path of a module': (pick) => `SVC/handlers/order/v${pick(9)}/create.ts`,
  'path of a package': () => 'SVC.Orders.Client.Version2.Handler',
  'name of a host': (pick) => `SVC-gateway-production-eu-west-${pick(9)}.internal.example.com`,
  'name of a table': (pick) => `SVC_customer_orders_history_${2_020 + pick(6)}_archive`,
  'name of a service': (pick) => `SVCHOST_INSTANCE_${pick(99)}_RUNNING`,
  'column in capitals': (pick) => `SVC_CHARGE_AMOUNT_${pick(9)}_PERCENT`,
  'hash of a file': (pick) => `sha512-SVC${of('0123456789abcdef', 32, pick)}`,
  'integrity in base64': (pick) => `"integrity": "sha512-${of(`${base62}+/`, 44, pick)}SVC${of(`${base62}+/`, 39, pick)}=="`,
  'data URL': (pick) => `url(data:font/woff2;base64,${of(`${base62}+/`, 60, pick)}SVC${of(`${base62}+/`, 60, pick)})`,
  'token of somebody else': (pick) => `eyJ${of(`${base62}-_`, 60, pick)}SVC${of(`${base62}-_`, 60, pick)}`,
  'certificate in lines': (pick) =>
    `-----BEGIN CERTIFICATE-----\n${of(`${base62}+/`, 64, pick)}\nSVC${of(`${base62}+/`, 61, pick)}\n${of(`${base62}+/`, 64, pick)}\n-----END CERTIFICATE-----`,
  'short ticket': (pick) => `SVC-${of(digits, 5, pick)}`,
  redacted: () => 'SVC[redacted]',
}
