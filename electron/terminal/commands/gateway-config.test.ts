import { expect, test } from 'vitest'
import { readGatewayConfig } from './gateway-config.ts'

const token = `0123456789ab.${'0'.repeat(64)}`
const good = `exchange = "https://exchange.example"
data = "/var/lib/gateway"
[[keys]]
name = "hedger"
id = "key-1"
wallet = "0x${'a'.repeat(40)}"
scopes = ["account:read", "trade:execute"]
from = "credential:hedger"
[[bots]]
name = "grid"
key = "hedger"
token = "${token}"
`

test('reads a whole configuration', () => {
  const bot = 'mode = "live"\nmarkets = [1]\nside = "long"\nmax_order = "500.5"\nmax_leverage = 5\nhours = "08:00-17:30"\nsilence = 60\nexpires = 2027-01-31\n'
  expect(readGatewayConfig(`${good}${bot}`)).toMatchObject({
    ok: true,
    value: {
      ...{ hostUrl: 'https://exchange.example', state: null, port: 8_421, metricsPort: null, callsPerSecond: 40, tls: null },
      keys: [{ label: 'hedger', from: { kind: 'credential', name: 'hedger' }, expiresAtMs: null }],
      bots: [
        {
          ...{ id: '0123456789ab', scopes: ['account:read', 'trade:execute'], expiresAtMs: Date.UTC(2027, 0, 31), isPaused: false },
          policy: {
            ...{ mode: 'live', sides: ['long'], limits: { orderValueUsdc: '500.5', leverage: 5, markets: [1], dailyLossUsdc: null } },
            ...{ hours: { fromMinute: 480, toMinute: 1_050 }, silence: { afterSeconds: 60, does: 'cancel' } },
          },
        },
      ],
    },
  })
})

test.each([
  ['a field that does not exist', good.replace('data =', 'dta ='), 'Line 2: there is no field dta here. Did you mean data?'],
  ['a field of a bot that does not exist', `${good}max_orders = 5\n`, 'Line 13: there is no field max_orders here. Did you mean max_order?'],
  ['a wrong value', `${good}max_order = 0\n`, 'Line 13: max_order takes an amount in USDC above zero, such as "500" or 500.'],
  ['a missing field', good.replace('id = "key-1"\n', ''), 'Line 3: [[keys]] needs id: the key’s id at the exchange.'],
  ['text that is no TOML', good.replace('"key-1"', '"key-1'), 'Line 5: this is no valid TOML'],
  ['an unknown key', good.replace('key = "hedger"', 'key = "hedge"'), 'Line 11: there is no key hedge. Did you mean hedger?'],
  ['a scope that the key lacks', `${good}scopes = ["orders:manage"]\n`, 'Line 13: the key hedger has no scope orders:manage.'],
  ['a key in the file', good.replace('credential:hedger', `SVC${'a1'.repeat(16)}`), 'Line 8: this is a secret.'],
  ['a key in a comment', `# SVC${'a1'.repeat(16)}\n${good}`, 'Line 1: this is a secret.'],
  ['a bot’s token in the file', good.replace(token, `SVCbot1.0123456789ab.${'x'.repeat(43)}`), 'Line 12: this is a secret.'],
  ['another source of a key', good.replace('credential:hedger', 'file:/etc/key'), 'Line 8: from takes "credential:NAME", "fd:N" or "keychain:ACCOUNT".'],
  ['a credential outside its folder', good.replace('credential:hedger', 'credential:../key'), 'Line 8: from takes'],
  ['TLS on this computer', good.replace('[[keys]]', '[tls]\ncertificate = "a"\nclients = "b"\nkey = "fd:3"\n[[keys]]'), 'Line 3: [tls] is for an address'],
  ['another address without TLS', `address = "10.0.0.1"\n${good}`, 'Line 1: other computers can reach 10.0.0.1. Add [tls]'],
  ['a database’s address outside its table', `state = "postgres://db.example/x"\n${good}`, 'Line 1: state takes a table'],
  [
    'a database with a password',
    `${good}[state]\nurl = "postgres://me:secret@db.example/x"\n`,
    'Line 14: others may read this file: take the password out of url',
  ],
  [
    'another computer’s database without TLS',
    `${good}[state]\nurl = "postgres://db.example/x?sslmode=disable"\n`,
    'Line 14: a database on another computer needs TLS.',
  ],
  ['a database of another kind', `${good}[state]\nurl = "mysql://db.example/x"\n`, 'Line 14: url takes the address of a PostgreSQL database'],
  [
    'a password that names no source',
    `${good}[state]\nurl = "postgres://db.example/x"\npassword = "hunter2"\n`,
    'Line 15: password takes "credential:NAME", "env:NAME"',
  ],
  ['an exchange without TLS', good.replace('https:', 'http:'), 'Line 1: exchange takes the address of the exchange'],
  ['a bot named twice', `${good}${good.slice(good.indexOf('[[bots]]'))}`, 'Line 16: another bot has the same token.'],
])('refuses %s and names its line', (_, written, sentence) => {
  const read = readGatewayConfig(written)
  expect(read).toMatchObject({ ok: false, failure: expect.stringContaining(sentence) })
})
