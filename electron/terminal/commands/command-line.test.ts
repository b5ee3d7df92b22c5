import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCommand } from '../../../shared/snippets/snippet.ts'
import { readCommandLine } from './command-line.ts'

const read = (line: string) => readCommandLine(line === '' ? [] : line.split(' '))

test.each([
  ['', { action: 'help', of: null }],
  ['--help', { action: 'help', of: null }],
  ['help listen', { action: 'help', of: 'listen' }],
  ['run --help', { action: 'help', of: 'run' }],
  ['keys rotate -h', { action: 'help', of: 'keys' }],
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
  ['trigger --list', { action: 'events' }],
  ['trigger order.filled --to http://x/in', { action: 'trigger', event: 'order.filled', to: 'http://x/in', secretEnv: null, json: false }],
  ['trigger --to=http://x --secret-env S_1 order.filled --json', { action: 'trigger', event: 'order.filled', to: 'http://x', secretEnv: 'S_1', json: true }],
  ['test-receiver --to http://x', { action: 'test-receiver', to: 'http://x', secretEnv: null, report: null, effects: null }],
  [
    'test-receiver --to http://x --secret-env S --report r.md --effects http://x/e',
    { action: 'test-receiver', to: 'http://x', secretEnv: 'S', report: 'r.md', effects: 'http://x/e' },
  ],
  ['check', { action: 'check', profile: null, data: null, json: false, dryRuns: false, acceptTops: false }],
  ['check --accept-top --dry-runs --json --profile Main', { action: 'check', profile: 'Main', data: null, json: true, dryRuns: true, acceptTops: true }],
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
  ['check positions', 'name none'],
  ['check --key bot', 'takes no --key'],
  ['check -- x', 'runs nothing'],
  ['keys list --dry-runs', 'belongs to check'],
  ['trigger', 'Where to?'],
  ['trigger --to http://x', 'Which event?'],
  ['trigger a b --to http://x', 'One event at a time'],
  ['trigger --list --json', 'stands alone'],
  ['trigger a --to http://x --key bot', 'takes no --key'],
  ['trigger a --to http://x --secret-env=', 'needs a value'],
  ['trigger a --to http://x --secret-env a=b', 'name of a variable'],
  ['trigger a --to http://x --secret-env svc_whsec_abc', 'change it'],
  ['trigger a --to http://x -- env', 'runs nothing'],
  ['test-receiver', 'Where to?'],
  ['test-receiver a --to http://x', 'name none'],
  ['test-receiver --to http://x --json', 'takes no --json'],
  ['test-receiver --to http://x --report r.txt', '.json or .md'],
  ['keys list --to http://x', 'belongs to the commands for webhooks'],
  ['run --list --key bot -- env', 'belongs to the commands for webhooks'],
  ['secrets', 'no command secrets'],
  ['-- env', 'What is to be done?'],
  ['--constructor x', 'no option'],
])('refuses, and says why: %s', (line, sentence) => {
  const refused = read(line)
  expect(refused.ok ? null : refused.failure).toContain(sentence)
})

test('a name that would end the options is read back as a name [F21]', () => {
  for (const of of [{ key: '--' }, { webhook: '--' }]) {
    const line = runCommand({ profile: '--', of, words: ['./bot', '--fast'] })
    const words = execFileSync('/bin/sh', ['-c', `read_back() { printf '%s\\0' "$@"; }; ${line.replace('svc-desk', 'read_back')}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
    expect(readCommandLine(words)).toMatchObject({
      ok: true,
      value: { action: 'run', profile: '--', key: null, webhook: null, ...of, words: ['./bot', '--fast'] },
    })
  }
})
