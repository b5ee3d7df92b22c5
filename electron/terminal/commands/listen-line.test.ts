import { expect, test } from 'vitest'
import { placeOf, readCommandLine } from './command-line.ts'

const read = (line: string) => readCommandLine(line.split(' '))
const usual = {
  action: 'listen',
  profile: null,
  data: null,
  json: false,
  secret: { webhook: 'w1' },
  forward: null,
  port: null,
  answer: { status: 200, delayMs: 0 },
}

test.each([
  ['listen --webhook w1', usual],
  ['listen --webhook https://bots.example/in --profile Main', { ...usual, profile: 'Main', secret: { webhook: 'https://bots.example/in' } }],
  ['listen', { ...usual, secret: { webhook: null } }],
  ['listen --forward localhost:3000/hook', { ...usual, secret: { webhook: null }, forward: new URL('http://localhost:3000/hook') }],
  ['listen --webhook w1 --port 9001', { ...usual, port: 9001 }],
  ['listen --secret-env HOOK --json --data /x', { ...usual, secret: { variable: 'HOOK' }, json: true, data: '/x' }],
  ['listen --webhook w1 --forward http://localhost:3000/hook', { ...usual, forward: new URL('http://localhost:3000/hook') }],
  ['listen --webhook w1 --forward https://[::1]/hook', { ...usual, forward: new URL('https://[::1]/hook') }],
  ['listen --webhook w1 --forward localhost/h --answer endpoint', { ...usual, forward: new URL('http://localhost/h'), answer: 'forwarded' }],
  ['listen --webhook w1 --answer 503 --delay 5', { ...usual, answer: { status: 503, delayMs: 5_000 } }],
])('the terminal command svc-desk listen reads its options: %s', (line, expected) => {
  expect(read(line)).toEqual({ ok: true, value: expected })
})

test.each([
  ['listen --webhook w1 --secret-env HOOK', 'Use --webhook or --secret-env, not both.'],
  ['listen --webhook w1 --key bot', 'takes no --key'],
  ['listen --webhook w1 --to http://localhost/', 'takes no --to'],
  ['listen --secret-env svc_whsec_x', 'Others can see your command line'],
  ['listen --webhook w1 -- node bot.js', 'listen starts no program. Use --forward URL to forward deliveries.'],
  ['listen w1', 'listen starts no program.'],
  ['listen --webhook w1 --forward nonsense', 'URL on this computer'],
  ['listen --webhook w1 --forward https://bots.example/hook', 'URL on this computer'],
  ['listen --webhook w1 --forward http://192.168.0.7/hook', 'URL on this computer'],
  ['listen --webhook w1 --forward http://a:b@localhost/hook', 'URL on this computer'],
  ['listen --webhook w1 --forward file:///hook', 'URL on this computer'],
  ['listen --webhook w1 --forward bots.example/hook', 'URL on this computer'],
  ['listen --webhook w1 --port 0', 'from 1 to 65535'],
  ['listen --webhook w1 --port 65536', 'from 1 to 65535'],
  ['listen --webhook w1 --answer 100', 'from 200 to 599'],
  ['listen --webhook w1 --answer ok', 'from 200 to 599'],
  ['listen --webhook w1 --answer endpoint', 'name it with --forward'],
  ['listen --webhook w1 --forward localhost/h --answer endpoint --delay 2', 'takes no --delay'],
  ['listen --webhook w1 --delay 0.5', 'whole seconds'],
  ['listen --webhook w1 --delay 61', 'whole seconds'],
  ['run --key bot --forward http://localhost/ -- env', 'run takes no --forward. It is an option of listen.'],
  ['keys list --port 1', 'keys list takes no --port. It is an option of gateway on and listen.'],
])('the terminal command svc-desk listen refuses its options with a reason: %s', (line, sentence) => {
  const refused = read(line)
  expect(refused.ok ? null : refused.failure).toContain(sentence)
})

test('svc-desk listen listens at the local address in the webhook’s URL or at --port, and refuses to forward to its own address', () => {
  const place = (port: number | null, webhookUrl: string | null, forward: string | null = null) =>
    placeOf({ port, forward: forward === null ? null : new URL(forward) }, webhookUrl)
  const usualPlace = { ok: true, value: { port: 4807, path: '/deliveries' } }
  expect(place(null, null)).toEqual(usualPlace)
  expect(place(null, 'https://bots.example/in')).toEqual(usualPlace)
  // The receiver itself uses plain HTTP on the default port. For an https URL, the user's own proxy decrypts requests and forwards them to that port.
  expect(place(null, 'https://localhost:8443/in')).toEqual(usualPlace)
  expect(place(null, 'http://127.0.0.1:9000/in/a')).toEqual({ ok: true, value: { port: 9000, path: '/in/a' } })
  expect(place(9001, 'http://localhost/in')).toEqual({ ok: true, value: { port: 9001, path: '/in' } })
  const circle = { ok: false, failure: expect.stringMatching(/^listen cannot forward to port \d+: it receives there\. Change --port or --forward\.$/) }
  expect(place(null, null, 'http://localhost:4807/hook')).toEqual(circle)
  expect(place(80, null, 'http://localhost/hook')).toEqual(circle)
  expect(place(null, 'http://127.0.0.1:3000/in', 'http://localhost:3000/hook')).toEqual(circle)
})
