import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'

const read = (line: string) => readCommandLine(line === '' ? [] : line.split(' '))

test.each([
  ['', { action: 'help' }],
  ['--help', { action: 'help' }],
  ['run --help', { action: 'help' }],
  ['keys rotate -h', { action: 'help' }],
  ['--version', { action: 'version' }],
  ['run --key bot -- node bot.js', { action: 'run', profile: null, key: 'bot', webhook: null, data: null, words: ['node', 'bot.js'] }],
  ['run --profile=Main --key=bot -- env', { action: 'run', profile: 'Main', key: 'bot', webhook: null, data: null, words: ['env'] }],
  [
    '--key bot run -- node --key x -- --help',
    { action: 'run', profile: null, key: 'bot', webhook: null, data: null, words: ['node', '--key', 'x', '--', '--help'] },
  ],
  ['keys list', { action: 'list', profile: null, data: null, json: false }],
  ['keys list --json --profile p1 --data /x', { action: 'list', profile: 'p1', data: '/x', json: true }],
  ['keys rotate bot --json', { action: 'rotate', profile: null, key: 'bot', data: null, json: true }],
  ['keys revoke --key bot', { action: 'revoke', profile: null, key: 'bot', data: null, json: false }],
])('reads: %s', (line, expected) => {
  expect(read(line)).toEqual({ ok: true, value: expected })
})

test.each([
  ['run', 'Which key?'],
  ['run --key', '--key needs a value'],
  ['run --key=', '--key needs a value'],
  ['run --key a --key b -- env', 'twice'],
  ['run --key bot', 'stands after --'],
  ['run --key bot --', 'stands after --'],
  ['run --key bot node bot.js', 'stands after --'],
  ['run --key bot --json -- env', 'no --json'],
  ['run --nosuch -- env', 'no option --nosuch'],
  ['run -k bot -- env', 'no option -k'],
  ['run --json=1 --key x -- env', 'takes no value'],
  ['keys', 'keys list'],
  ['keys list bot', 'takes no key'],
  ['keys list -- x', 'runs nothing'],
  ['keys rotate', 'Which key?'],
  ['keys rotate a b', 'One key at a time'],
  ['keys rotate a --key b', 'One key at a time'],
  ['secrets', 'no command secrets'],
  ['-- env', 'What is to be done?'],
  ['--constructor x', 'no option'],
])('refuses, and says why: %s', (line, sentence) => {
  const refused = read(line)
  expect(refused.ok ? null : refused.failure).toContain(sentence)
})
