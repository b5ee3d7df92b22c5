import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formIssueText } from '../text/form-text.ts'
import { readBashWords } from './bash-words.ts'
import type { PastedDelivery } from './pasted.ts'
import { readPasted } from './pasted-delivery.ts'

const deliveries = (text: string): readonly PastedDelivery[] => {
  const read = readPasted(text)
  if (!read.ok) throw new Error(formIssueText(read.failure))
  return read.value.deliveries
}
const sentence = (text: string): string => {
  const read = readPasted(text)
  return read.ok ? `read as ${read.value.form}` : formIssueText(read.failure)
}
const bodyText = (text: string): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(deliveries(text)[0]?.bodies[0]?.bytes)

const name = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_!#$%&*+.^|~'), minLength: 1, maxLength: 20 }).filter((text) => /^[a-zA-Z]/.test(text))
const value = fc
  .string({ unit: fc.constantFrom(...`abcXYZ019 ._:-=,/'"\\$(){}`), minLength: 1, maxLength: 40 })
  .map((text) => text.trim())
  .filter((text) => text !== '')
const headers = fc.array(fc.record({ name, value }), { minLength: 1, maxLength: 8 })
const body = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({
      unit: fc.constantFrom(...`'"\`$\\!#%&;|<>(){}[]*?~^@=, \n\r\t:`, '\r\n', '\n\n', `\${x}`, '$(id)', '\u202e', '\u2028', '\ufeff', 'é', '漢', '😀'),
    }),
    fc.jsonValue().map((one) => JSON.stringify(one)),
  )
  .map((text) => text.toWellFormed())
const bytes = (text: string) => [...new TextEncoder().encode(text)]
const inOrder = fc.constantFrom('\n', '\r\n')

test('the app reads a pasted delivery’s headers and body byte for byte, with LF or CRLF, with or without a request line [HOOK-05, HOOK-06]', () => {
  fc.assert(
    fc.property(headers, body, inOrder, fc.boolean(), (given, text, end, line) => {
      const head = [...(line ? ['POST /hooks?a=1 HTTP/1.1'] : []), ...given.map((one) => `${one.name}: ${one.value}`)].join(end)
      const [read] = deliveries(`${head}${end}${end}${text}`)
      expect(read?.headers).toEqual(given)
      expect([...(read?.bodies[0]?.bytes ?? [])]).toEqual(bytes(text))
    }),
  )
})

test('the app offers variants of a pasted delivery’s body with and without a final line break, and with LF and CRLF [HOOK-06]', () => {
  const readings = (text: string) => deliveries(`A: b\n\n${text}`)[0]?.bodies.map(({ reading, bytes: body }) => [reading, new TextDecoder().decode(body)])
  expect(readings('{}\n')).toEqual([
    ['pasted', '{}\n'],
    ['without_break', '{}'],
  ])
  expect(readings('{}')).toEqual([
    ['pasted', '{}'],
    ['with_break', '{}\n'],
  ])
  expect(readings('{\n}')).toEqual([
    ['pasted', '{\n}'],
    ['with_break', '{\n}\n'],
    ['crlf', '{\r\n}'],
  ])
  expect(readings('{\r\n}\r\n')).toEqual([
    ['pasted', '{\r\n}\r\n'],
    ['without_break', '{\r\n}'],
    ['lf', '{\n}'],
  ])
})

const single = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const double = (text: string) => `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`
const ansi = (text: Uint8Array | readonly number[]) => `$'${[...text].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`
const quoting = fc.constantFrom(single, double, (text: string) => ansi(new TextEncoder().encode(text)))
const flag = fc.constantFrom('--data-raw', '--data-binary', '--data', '-d')

test('the app reads a delivery’s headers and body from a pasted curl command byte for byte, with every kind of bash quoting [HOOK-05, HOOK-06]', () => {
  const text = body.filter((one) => !one.includes('\0') && !one.startsWith('@'))
  fc.assert(
    fc.property(headers, text, quoting, quoting, flag, fc.constantFrom(' ', ' \\\n  ', ' \\\r\n '), (given, sent, quote, other, option, gap) => {
      const words = ['curl', single('https://bots.example/in'), ...given.map((one) => `-H ${quote(`${one.name}: ${one.value}`)}`), `${option} ${other(sent)}`]
      const [read] = deliveries(words.join(gap))
      expect(read?.headers).toEqual(given)
      expect([...(read?.bodies[0]?.bytes ?? [])]).toEqual(bytes(sent))
      expect(read?.title).toBe('POST https://bots.example/in')
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (sent) => {
      const whole = sent.map((byte) => (byte === 0 ? 1 : byte))
      fc.pre(whole[0] !== 64)
      expect([...(deliveries(`curl -sSd${ansi(whole)} https://x.example`)[0]?.bodies[0]?.bytes ?? [])]).toEqual([...whole])
    }),
  )
})

test('the app splits a pasted command into the words that bash would pass to the program', () => {
  const piece = fc.oneof(
    fc.tuple(quoting, fc.string({ unit: 'grapheme' })).map(([quote, text]) => quote(text.toWellFormed().replaceAll('\0', ''))),
    fc.constantFrom(
      ...[String.raw`$'\a\b\e\f\n\r\t\v\\\'\"\?\101\x41é\U1f600\cA\q\8'`, String.raw`"a\qb\"\\\$"`, '""', "''", '\\\n', '\\ ', '\\é', 'a#b', '=:,@%+'],
    ),
    fc.string({ unit: fc.constantFrom(...'abc019-_=+:,./'), minLength: 1 }),
  )
  const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => `w${parts.join('')}`)
  const commands = fc.sample(fc.array(word, { maxLength: 4 }), { numRuns: 150, seed: 11 })
  const script = commands.map((words) => `printf '%s\\0' ${words.join(' ')} end`).join('\n')
  const said = execFileSync('bash', { input: script, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } })
  const read = commands.flatMap((words) => {
    const found = readBashWords(`${words.join(' ')} end`)
    return found.ok ? found.value.map((one) => Buffer.from(one)) : [Buffer.from(formIssueText(found.failure))]
  })
  expect(Buffer.concat(read.flatMap((one) => [one, Buffer.of(0)]))).toEqual(said)
})

test('the app offers every POST request of a pasted HAR file as a delivery, with the request’s body byte for byte [HOOK-05, HOOK-06]', () => {
  const entry = fc.record({ headers, text: body, binary: fc.boolean() })
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), (entries) => {
      const written = entries.map(({ headers: given, text, binary }, at) => ({
        request: {
          method: 'POST',
          url: `https://bots.example/${at}`,
          headers: [{ name: ':method', value: 'POST' }, ...given],
          postData: binary ? { text: Buffer.from(text).toString('base64'), encoding: 'base64' } : { mimeType: 'application/json', text },
        },
      }))
      const others = [{ request: { method: 'GET', url: 'https://x.example', headers: [] } }, { request: { method: 'POST', headers: [] } }]
      const read = deliveries(JSON.stringify({ log: { version: '1.2', entries: [...others, ...written] } }))
      expect(read.map((one) => one.headers)).toEqual(entries.map((one) => one.headers))
      expect(read.map((one) => [...(one.bodies[0]?.bytes ?? [])])).toEqual(entries.map((one) => bytes(one.text)))
      expect(read.map((one) => one.title)).toEqual(entries.map((_, at) => `POST https://bots.example/${at}`))
    }),
  )
})

test('the app joins several data options of a pasted curl command as curl does, and reads the headers that curl would send', () => {
  expect(bodyText(`curl x -d a=1 --data 'b=2'`)).toBe('a=1&b=2')
  expect(bodyText(`curl x --json '{"a":1' --json '}'`)).toBe('{"a":1}')
  expect(bodyText('$ curl x --data-raw @x')).toBe('@x')
  expect(bodyText(`curl x -d 'a^"b ^\n'`)).toBe('a^"b ^\n')
  expect(bodyText('# Not a read: running this asks for the same once more.\ncurl --request POST x --data-raw y | jq .')).toBe('y')
  expect(deliveries(`curl -A bot -H 'Gone:' -H 'Empty;' -H 'X:  y ' -XPOST -d z x`)[0]?.headers).toEqual([
    { name: 'User-Agent', value: 'bot' },
    { name: 'Empty', value: '' },
    { name: 'X', value: 'y' },
  ])
})

test.each([
  ['   \n', 'nothing here yet'],
  ['hello', 'Paste headers with a body, a curl command or a HAR'],
  ['{"id":"evt_1"}', 'only a body'],
  ['X-Svc-Event: a\nX-Svc-Event-ID: b', 'an empty line between'],
  ['POST / HTTP/1.1\nA: b\nnot one\n\n{}', 'Line 3 is not a header: “not one”'],
  ['curl https://x.example', 'no body'],
  ['curl x -d @body.json', '-d names a file (@body.json)'],
  ['curl x --data-urlencode a=b', 'does not contain what --data-urlencode sends'],
  ['curl x -F a=b', 'what -F sends'],
  ["curl x -d 'abc", "A quote (') is never closed"],
  ['curl x -d "$BODY"', 'only the shell knows'],
  ['curl x -d `cat body`', 'only the shell knows'],
  [String.raw`curl x -d $'a\x00b'`, 'zero byte'],
  ['curl x -H', '-H has no value'],
  ['curl x -H nothing -d a', '“nothing” is not a header'],
  ['curl "https://x.example" ^\n -H ^"A: b^"', 'cmd of Windows'],
  ['{"log":{"entries":[]}}', 'no POST with a body (requests: 0)'],
  ['{"log":{"entries":[{"request":', 'part of it is missing'],
])('the webhook inspector explains which part of the pasted text is unreadable: %j', (text, words) => {
  expect(sentence(text)).toContain(words)
})

test('the app refuses a pasted delivery of more than 2 MB', () => {
  expect(sentence('A: b\n\n'.padEnd(2_000_001, 'x'))).toContain('exceeds 2 MB')
  expect(sentence('A: b\n\n'.padEnd(2_000_000, 'x'))).toBe('read as headers')
})

test('the app quickly reads any text pasted as a delivery, or refuses the text with a sentence', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        body,
        body.map((text) => `curl ${text}`),
        body.map((text) => `{"log":${text}`),
      ),
      (text) => {
        const read = readPasted(text)
        if (read.ok) expect(read.value.deliveries.every(({ bodies }) => bodies.length > 0)).toBe(true)
        else expect(formIssueText(read.failure)).toMatch(/[a-z].*\.$/s)
      },
    ),
  )
  const startedAt = performance.now()
  for (const long of [`curl -d "${'a$'.repeat(400_000)}"`, `curl ${'\\ '.repeat(400_000)}`, `A: b${' '.repeat(900_000)}\n\nx`, `${'\n '.repeat(400_000)}x`])
    readPasted(long)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test.each([
  ["curl -G https://x.example -d '{}'", '-G'],
  ["curl -sG https://x.example -d '{}'", '-G'],
  ["curl --get https://x.example -d '{}'", '--get'],
  ["curl https://x.example -d '{}' --next https://y.example -d '{}'", '--next'],
  ["curl https://x.example -d '{}' -: https://y.example", '-:'],
  ["curl --proxy-user '-d y' https://x.example -d '{}'", '--proxy-user'],
  ["curl --dat '{}' https://x.example", '--dat'],
  ["curl --head https://x.example -d '{}'", '--head'],
])('the webhook inspector refuses a curl command with an option that is unknown, abbreviated or changes the request: %s [F17]', (text, option) => {
  expect(sentence(text)).toBe(`${option} is unknown here, or changes what is sent. Paste headers and body instead.`)
})

test.each(['X;A: 1', 'X A: 1', 'X;A', ': 1', 'X'])(
  'the app refuses a pasted curl command with a header option that would not send a header: %s [F17]',
  (said) => {
    expect(sentence(`curl https://x.example -d '{}' -H '${said}'`)).toBe(`“${said}” is not a header.`)
  },
)

test('the app ignores options of a pasted curl command that affect neither headers nor body', () => {
  const [delivery] = deliveries("curl -sSfLk --compressed --http2 -m 5 -H 'A;' -H 'B:' -H 'C : 1' -d '{}' https://x.example")
  expect([delivery?.headers, bodyText("curl -sSd '{}' https://x.example")]).toEqual([
    [
      { name: 'A', value: '' },
      { name: 'C', value: '1' },
    ],
    '{}',
  ])
})

test('the app reads a pasted HAR file that starts with a byte order mark [F17]', () => {
  const har = JSON.stringify({ log: { entries: [{ request: { method: 'POST', url: 'https://x.example', headers: [], postData: { text: '{}' } } }] } })
  expect(bodyText(`\ufeff${har}`)).toBe('{}')
})
