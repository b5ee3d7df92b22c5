import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'

const read = (line: string) => readCommandLine(line.split(' '))
const usual = {
  action: 'listen',
  profile: null,
  data: null,
  json: false,
  secret: { webhook: 'w1' },
  forward: null,
  port: 4807,
  path: '/deliveries',
  answer: { status: 200, delayMs: 0 },
}

test.each([
  ['listen --webhook w1', usual],
  ['listen --webhook https://bots.example/in --profile Main', { ...usual, profile: 'Main', secret: { webhook: 'https://bots.example/in' } }],
  // A webhook of practice says where its deliveries go.
  ['listen --webhook http://127.0.0.1:9000/in/a', { ...usual, secret: { webhook: 'http://127.0.0.1:9000/in/a' }, port: 9000, path: '/in/a' }],
  ['listen --webhook http://localhost/in --port 9001', { ...usual, secret: { webhook: 'http://localhost/in' }, port: 9001, path: '/in' }],
  ['listen --secret-env HOOK --json --data /x', { ...usual, secret: { variable: 'HOOK' }, json: true, data: '/x' }],
  ['listen --webhook w1 --forward http://localhost:3000/hook', { ...usual, forward: new URL('http://localhost:3000/hook') }],
  ['listen --webhook w1 --forward https://[::1]/hook', { ...usual, forward: new URL('https://[::1]/hook') }],
  ['listen --webhook w1 --answer 503 --delay 5', { ...usual, answer: { status: 503, delayMs: 5_000 } }],
])('reads: %s', (line, expected) => {
  expect(read(line)).toEqual({ ok: true, value: expected })
})

test.each([
  ['listen', 'Which secret'],
  ['listen --webhook w1 --secret-env HOOK', 'Which secret'],
  ['listen --webhook w1 --key bot', 'takes no --key'],
  ['listen --webhook w1 --to http://localhost/', 'takes no --to'],
  ['listen --secret-env svc_whsec_x', 'A secret on the command line is seen by others'],
  ['listen --webhook w1 -- node bot.js', 'runs nothing'],
  ['listen w1', 'runs nothing'],
  ['listen --webhook w1 --forward nonsense', 'URL of this computer'],
  ['listen --webhook w1 --forward https://bots.example/hook', 'URL of this computer'],
  ['listen --webhook w1 --forward http://192.168.0.7/hook', 'URL of this computer'],
  ['listen --webhook w1 --forward http://a:b@localhost/hook', 'URL of this computer'],
  ['listen --webhook w1 --forward file:///hook', 'URL of this computer'],
  ['listen --webhook w1 --forward http://localhost:4807/hook', 'in a circle'],
  ['listen --webhook w1 --forward http://localhost/hook --port 80', 'in a circle'],
  ['listen --webhook w1 --port 0', 'from 1 to 65535'],
  ['listen --webhook w1 --port 65536', 'from 1 to 65535'],
  ['listen --webhook w1 --answer 100', 'from 200 to 599'],
  ['listen --webhook w1 --answer ok', 'from 200 to 599'],
  ['listen --webhook w1 --delay 0.5', 'whole seconds'],
  ['listen --webhook w1 --delay 61', 'whole seconds'],
  ['run --key bot --forward http://localhost/ -- env', '--forward belongs to the commands for webhooks'],
  ['keys list --port 1', '--port belongs to the commands for webhooks'],
])('refuses, and says why: %s', (line, sentence) => {
  const refused = read(line)
  expect(refused.ok ? null : refused.failure).toContain(sentence)
})
