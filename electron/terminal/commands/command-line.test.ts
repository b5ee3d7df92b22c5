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
  ['keys rotate -h', { action: 'help', of: 'keys rotate' }],
  ['trigger order.filled --help', { action: 'help', of: 'trigger' }],
  ['help', { action: 'help', of: null }],
  ['help exit-codes', { action: 'help', of: 'exit-codes' }],
  ['--version', { action: 'version' }],
  ['run --key bot -- node bot.js', { action: 'run', profile: null, key: 'bot', webhook: null, data: null, words: ['node', 'bot.js'] }],
  ['run --profile=Main --key=bot -- env', { action: 'run', profile: 'Main', key: 'bot', webhook: null, data: null, words: ['env'] }],
  [
    '--key bot run -- node --key x -- --help',
    { action: 'run', profile: null, key: 'bot', webhook: null, data: null, words: ['node', '--key', 'x', '--', '--help'] },
  ],
  ['keys list', { action: 'list', profile: null, data: null, json: false }],
  ['keys list --json --profile p1 --data /x', { action: 'list', profile: 'p1', data: '/x', json: true }],
  ['gateway status', { action: 'gateway', profile: null, data: null, json: false, does: { do: 'status' } }],
  ['gateway --config gateway.toml', { action: 'gateway-server', config: 'gateway.toml' }],
  ['gateway token', { action: 'gateway-token' }],
  ['gateway on --port 9000', { action: 'gateway', profile: null, data: null, json: false, does: { do: 'on', port: 9_000 } }],
  ['bots list --json', { action: 'gateway', profile: null, data: null, json: true, does: { do: 'status' } }],
  [
    'bots add grid --key k --mode dry-run --scopes market:read,account:read --expires-in-days 30',
    {
      action: 'gateway',
      profile: null,
      data: null,
      json: false,
      does: { do: 'add', bot: 'grid', key: 'k', scopes: ['market:read', 'account:read'], expiresInDays: 30, policy: { mode: 'dry_run' } },
    },
  ],
  ['bots limits grid', { action: 'gateway', profile: null, data: null, json: false, does: { do: 'limits', bot: 'grid', policy: {} } }],
  [
    'bots limits grid --max-order 500 --max-loss none --side both --market BTC-PERP,2 --hours 22:00-06:00 --silence 60:close --json',
    {
      action: 'gateway',
      profile: null,
      data: null,
      json: true,
      does: {
        do: 'limits',
        bot: 'grid',
        policy: { sides: null, markets: ['BTC-PERP', '2'], maxOrder: '500', maxLoss: null, hours: '22:00-06:00', silence: '60:close' },
      },
    },
  ],
  ['bots revoke grid', { action: 'gateway', profile: null, data: null, json: false, does: { do: 'revoke', bot: 'grid' } }],
  ['stop', { action: 'gateway', profile: null, data: null, json: false, does: { do: 'stop' } }],
  ['keys rotate bot --json', { action: 'rotate', profile: null, key: 'bot', data: null, json: true }],
  ['trigger --list', { action: 'events' }],
  ['trigger order.filled --to http://x/in', { action: 'trigger', event: 'order.filled', to: 'http://x/in', secretEnv: null, json: false }],
  ['trigger --to=http://x --secret-env S_1 order.filled --json', { action: 'trigger', event: 'order.filled', to: 'http://x', secretEnv: 'S_1', json: true }],
  ['test-receiver --to http://x', { action: 'test-receiver', to: 'http://x', secretEnv: null, report: null, effects: null }],
  [
    'test-receiver --to http://x --secret-env S --report r.md --effects http://x/e',
    { action: 'test-receiver', to: 'http://x', secretEnv: 'S', report: 'r.md', effects: 'http://x/e' },
  ],
  [
    'scan a b --ignored --format json --fingerprints f',
    {
      ...{ action: 'scan', profile: null, data: null, paths: ['a', 'b'], what: 'files', format: 'json', ignoredToo: true },
      ...{ fingerprints: 'f', exportTo: null },
    },
  ],
  [
    'scan --staged',
    {
      ...{ action: 'scan', profile: null, data: null, paths: [], what: 'staged', format: 'text', ignoredToo: false },
      ...{ fingerprints: null, exportTo: null },
    },
  ],
  ['check', { action: 'check', profile: null, data: null, json: false, dryRuns: false, acceptTops: false }],
  ['check --accept-top --dry-runs --json --profile Main', { action: 'check', profile: 'Main', data: null, json: true, dryRuns: true, acceptTops: true }],
  ['keys revoke --key bot', { action: 'revoke', profile: null, key: 'bot', data: null, json: false }],
])('the terminal program svc-desk reads the command line: %s', (line, expected) => {
  expect(read(line)).toEqual({ ok: true, value: expected })
})

test.each([
  ['run', 'Name a key with --key or a webhook with --webhook. Run `svc-desk help run`.'],
  ['run --key', '--key needs a value'],
  ['run --key=', '--key needs a value'],
  ['run --key a --key b -- env', '--key is given twice. Give it once.'],
  ['run --key bot', 'Put the program after --'],
  ['run --key bot --', 'Put the program after --'],
  ['run --key bot node bot.js', 'svc-desk run --key NAME -- node.'],
  ['run --key bot --json -- env', 'run takes no --json. The output is the program’s own.'],
  ['run --nosuch -- env', 'Unknown option --nosuch. Run `svc-desk help run`.'],
  ['run -k bot -- env', 'Unknown option -k'],
  ['run --json=1 --key x -- env', 'takes no value'],
  ['keys', 'Name a command: keys list, keys rotate or keys revoke. Run `svc-desk help keys`.'],
  ['keys lst', 'Unknown command keys lst. Did you mean keys list? Run `svc-desk help keys`.'],
  ['keys bot --help', 'Unknown command keys bot.'],
  ['fly --help', 'Unknown command fly. Run `svc-desk --help`.'],
  ['help fly', 'Unknown command fly. Run `svc-desk --help`.'],
  ['help exit-code', 'Did you mean exit-codes?'],
  ['help keys rotat', 'Did you mean keys rotate?'],
  ['gateway', 'Name a command: gateway status, gateway on, gateway off or gateway token. Or name a file with --config. Run `svc-desk help gateway`.'],
  ['gateway --config gateway.toml --port 9000', '--config takes no other option. Put everything into the file.'],
  ['gateway token now', 'gateway token takes no more words. Leave out now.'],
  ['gateway on --port 80', '--port takes a number from 1024 to 65535.'],
  ['gateway off now', 'gateway off takes no more words. Leave out now.'],
  ['bots', 'Name a command: bots list, bots add, bots limits, bots pause, bots resume or bots revoke. Run `svc-desk help bots`.'],
  ['bots pause', 'Name the bot: svc-desk bots pause NAME.'],
  ['bots pause a b', 'bots pause takes one bot. Run it once per bot.'],
  ['bots list a', 'bots list takes no bot. Leave out a.'],
  ['bots add grid', 'Name the key with --key, for example: svc-desk bots add grid --key hedger.'],
  ['bots add grid --key k --mode fast', '--mode takes observe, dry-run or live.'],
  ['bots limits grid --max-order 0', '--max-order takes an amount in USDC above zero, or none.'],
  ['bots limits grid --max-leverage 1.5', '--max-leverage takes a whole number from 1, or none.'],
  ['bots limits grid --orders-per-minute 6001', '--orders-per-minute takes a whole number from 1 to 6000, or none.'],
  ['bots limits grid --hours 8-17', '--hours takes two different times in UTC, such as 08:00-17:30, or none.'],
  ['bots limits grid --silence 5', '--silence takes 10 to 86400 seconds, such as 60 or 60:close, or none.'],
  ['bots limits grid --side up', '--side takes long, short or both.'],
  ['bots limits grid --market BTC-PERP,', '--market takes symbols joined by commas'],
  ['bots pause grid --max-order 5', 'It is an option of bots add and bots limits.'],
  ['bots add grid --key k --scopes all', '--scopes takes some of market:read,'],
  ['stop all', 'stop pauses every bot. Leave out all, or use bots pause.'],
  ['keys list --key bot', 'keys list takes no --key. It is an option of run, keys rotate, keys revoke and bots add. Run `svc-desk help keys list`.'],
  ['keys list bot', 'takes no key'],
  ['keys list -- x', 'keys list starts no program. Leave out -- and what follows.'],
  ['keys rotate', 'Name the key: svc-desk keys rotate NAME.'],
  ['keys rotate a b', 'keys rotate takes one key. Run it once per key.'],
  ['keys rotate a --key b', 'takes one key'],
  ['check positions', 'check reads every route. Leave out positions.'],
  ['check --key bot', 'takes no --key'],
  ['check -- x', 'starts no program'],
  ['keys list --dry-runs', 'It is an option of check.'],
  ['trigger', 'Name your receiver with --to URL'],
  ['trigger --to http://x', 'Name the event.'],
  ['trigger a b --to http://x', 'trigger sends one event. Run it once per event.'],
  ['trigger --list --json', '--list takes no event and no other option.'],
  ['trigger a --to http://x --key bot', 'takes no --key'],
  ['trigger a --to http://x --secret-env=', 'needs a value'],
  ['trigger a --to http://x --secret-env a=b', 'name of a variable'],
  ['trigger a --to http://x --secret-env svc_whsec_abc', 'replace this secret'],
  ['trigger a --to http://x -- env', 'starts no program'],
  ['test-receiver', 'Name your receiver with --to URL'],
  ['test-receiver a --to http://x', 'test-receiver sends every event. Leave out a.'],
  ['test-receiver --to http://x --json', 'takes no --json'],
  ['test-receiver --to http://x --report r.txt', '.json or .md'],
  ['keys list --to http://x', 'It is an option of trigger and test-receiver.'],
  ['run --list --key bot -- env', 'It is an option of trigger.'],
  ['secrets', 'Unknown command secrets. Run `svc-desk --help`.'],
  ['-- env', 'Name a command. Run `svc-desk --help`.'],
  ['--constructor x', 'Unknown option --constructor.'],
])('the terminal program svc-desk refuses the command line with a reason: %s', (line, sentence) => {
  const refused = read(line)
  expect(refused.ok ? null : refused.failure).toContain(sentence)
})

// Asks a shell of POSIX systems.
test.skipIf(process.platform === 'win32')('svc-desk accepts -- as the name of a profile, key or webhook in a run command that the app generated [F21]', () => {
  for (const named of [{ key: '--' }, { webhook: '--' }]) {
    const line = runCommand({ profile: '--', of: named, words: ['./bot', '--fast'] })
    const words = execFileSync('/bin/sh', ['-c', `read_back() { printf '%s\\0' "$@"; }; ${line.replace('svc-desk', 'read_back')}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
    expect(readCommandLine(words)).toMatchObject({
      ok: true,
      value: { action: 'run', profile: '--', key: null, webhook: null, ...named, words: ['./bot', '--fast'] },
    })
  }
})
