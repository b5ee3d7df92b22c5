import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asCurl, asPython, asTypeScript, type SnippetRequest } from './snippet.ts'

const run = promisify(execFile)

interface Taken {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let server: Server
let hostUrl: string
let folder: string
const taken: Taken[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-snippets-'))
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      taken.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  hostUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const apiKey = 'SVCof-the-environment-0001'
const session = 'svcds1.of-the-environment'

async function execute(program: string, file: string, text: string): Promise<Taken[]> {
  const script = join(folder, file)
  await writeFile(script, text)
  taken.length = 0
  const env = { PATH: process.env.PATH, HOME: folder, SVC_BASE_URL: `${hostUrl}/api/dex/v1`, SVC_API_KEY: apiKey, SVC_SESSION: session, LC_ALL: 'C.UTF-8' }
  await run(program, [script], { env, cwd: folder })
  return [...taken]
}

const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...`'"\`$\\!#%&;|<>(){}[]*?~^@=, \n\r\t`, `\${x}`, '$(id)', '%s', '\u202e', '\u0007', '\u2028', 'é', '漢', '😀') }),
)
const target = fc
  .tuple(
    fc.constantFrom('/api/dex/v1', '/api/dex/developer'),
    fc.array(
      awkward.filter((text) => text !== '' && text !== '.' && text !== '..'),
      { maxLength: 3 },
    ),
    fc.dictionary(awkward, awkward, { maxKeys: 3 }),
  )
  .map(([root, parts, query]) => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()])).toString()
    return `${[root, 'x', ...parts.map((part) => encodeURIComponent(part.toWellFormed()))].join('/')}${search === '' ? '' : `?${search}`}`
  })
const header = fc.string({ unit: fc.constantFrom(...`abcXYZ019._:-'"\`$\\!#&;(){}`), minLength: 1, maxLength: 40 })
const body = fc.oneof(fc.jsonValue(), fc.dictionary(awkward, awkward)).map((value) => JSON.stringify(value))
const asked: fc.Arbitrary<Omit<SnippetRequest, 'hostUrl'>> = fc
  .record({
    target,
    key: header,
    credential: fc.constantFrom('none' as const, 'session' as const, 'key' as const),
    shape: fc.oneof(
      fc.record({ method: fc.constantFrom('GET', 'DELETE'), body: fc.constant(null) }),
      fc.record({ method: fc.constantFrom('POST', 'PUT'), body: fc.oneof(fc.constant(null), body) }),
    ),
  })
  .map(({ target: to, key, credential, shape: { method, body: text } }) => ({
    method,
    target: to,
    credential,
    body: text,
    headers: [
      { name: 'accept', value: 'application/json' },
      { name: 'x-request-id', value: 'dsk-000000000001' },
      { name: 'user-agent', value: 'Svc-Desk/1.2.3' },
      { name: credential === 'session' ? 'authorization' : 'x-svc-api-key', value: '[redacted]' },
      ...(text === null ? [] : [{ name: 'content-type', value: 'application/json; charset=utf-8' }]),
      { name: 'idempotency-key', value: key },
    ],
  }))

/**
 * The request that must arrive at the server. It contains the API key only if the original used a key, and the session only if it used a sign-in
 * (GEN-07).
 */
const expected = ({ method, target: path, headers, credential, body: text }: Omit<SnippetRequest, 'hostUrl'>) => ({
  method,
  path,
  body: text ?? '',
  accept: 'application/json',
  type: text === null ? undefined : 'application/json; charset=utf-8',
  idempotency: headers.at(-1)?.value,
  key: credential === 'key' ? apiKey : undefined,
  bearer: credential === 'session' ? `Bearer ${session}` : undefined,
})
const arrived = ({ method, path, headers, body: text }: Taken) => ({
  method,
  path,
  body: text,
  accept: headers.accept,
  type: text === '' ? undefined : headers['content-type'],
  idempotency: headers['idempotency-key'],
  key: headers['x-svc-api-key'],
  bearer: headers.authorization,
})

async function sendsThemAll(send: (requests: readonly SnippetRequest[]) => Promise<Taken[]>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 25, maxLength: 25 }), async (requests) => {
      const got = await send(requests.map((request) => ({ ...request, hostUrl })))
      expect(got.map(arrived)).toEqual(requests.map(expected))
      for (const { headers } of got) expect([headers['user-agent'], headers['x-request-id']]).not.toContain('dsk-000000000001')
    }),
    { numRuns: 3 },
  )
}

test('the app’s curl snippet sends the same method, path, headers and body as the original request, for any content [GEN-07, AUTH-09]', async () => {
  await sendsThemAll((requests) => execute('bash', 'requests.sh', requests.map((request) => `${asCurl(request)} --silent`).join('\n')))
}, 60_000)

const python = await run('python3', ['--version']).then(
  () => true,
  () => false,
)
test.skipIf(!python)(
  'the Python code that the app offers for a request sends the same request as the app [GEN-07, AUTH-09]',
  async () => {
    await sendsThemAll((requests) => execute('python3', 'requests.py', requests.map(asPython).join('\n')))
  },
  60_000,
)

test('the app’s TypeScript snippet sends the same request in Node as the original request [GEN-07, AUTH-09]', async () => {
  await sendsThemAll((requests) => execute(process.execPath, 'requests.mts', requests.map((request) => `{\n${asTypeScript(request)}}`).join('\n')))
}, 60_000)

const writers = [asCurl, asPython, asTypeScript]
const plain: SnippetRequest = {
  method: 'GET',
  hostUrl: 'https://dex.example',
  target: '/api/dex/v1/markets',
  headers: [{ name: 'x-svc-api-key', value: 'never shown' }],
  credential: 'key',
  body: null,
}

test('the app’s snippets contain the name of a variable in place of the credential, and never any part of the secret [AUTH-09]', () => {
  expect(asCurl(plain)).toBe(`curl --globoff --path-as-is --request GET "$SVC_BASE_URL"'/markets' \\\n  --header "X-Svc-API-Key: $SVC_API_KEY"`)
  expect(asPython(plain)).toContain(`'X-Svc-API-Key': os.environ["SVC_API_KEY"],`)
  expect(asTypeScript(plain)).toContain(`'X-Svc-API-Key': process.env.SVC_API_KEY ?? '',`)
  for (const write of writers) expect(write(plain)).not.toContain('never shown')
})

test('the app’s snippets state at the top what the user must add: the sign-in credential, and values that were removed', () => {
  const signed: SnippetRequest = { ...plain, method: 'POST', target: '/api/dex/developer/keys', credential: 'session', body: '{"signature":"[redacted]"}' }
  for (const write of writers) {
    const text = write(signed)
    expect(text).toContain('SVC_SESSION')
    expect(text).toContain('Svc Desk gives its own to nobody')
    expect(text).toContain('Put your own in place of [redacted]')
    expect(text).toContain('https://dex.example/api/dex/developer/keys')
    expect(write(plain)).not.toMatch(/^(#|\/\/)/)
  }
})

test('the app’s snippets contain no invisible character, and no extra line that the request’s content could inject', () => {
  fc.assert(
    fc.property(asked, (request) => {
      for (const write of writers) expect(write({ ...request, hostUrl })).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u)
      expect(
        asCurl({ ...request, hostUrl })
          .split('\n')
          .filter((line) => !/^(#|curl | {2}--)/.test(line)),
      ).toEqual([])
    }),
  )
})
