import { expect, test } from 'vitest'
import { botScopes, initialNewKey, labelHelp, readNewKey } from './new-key-form.ts'

const first = initialNewKey(null)
const named = { ...first, label: 'grid-eth-2' }

test('the new-key form starts with a read-only key for 30 days that needs only a name [T8]', () => {
  expect(readNewKey(first, []).request).toBeNull()
  expect(readNewKey(named, []).request).toEqual({
    kind: 'custom',
    request: { label: 'grid-eth-2', expiresInDays: 30, ipAllowlist: [], quotas: [], scopes: ['market:read', 'account:read'] },
  })
})

test('the new-key form prefills the allowlist with the IP address from which the exchange sees this computer, if the exchange reports one [T8]', () => {
  const seen = { ...initialNewKey({ address: '203.0.113.7' }), label: 'grid-eth-2' }
  expect(readNewKey(seen, []).request?.request.ipAllowlist).toEqual(['203.0.113.7'])
})

test('the new-key form creates a bot-ready key, with its short default lifetime, if the user chooses exactly the scopes of a trading bot [KEY-10]', () => {
  const bot = { ...named, scopes: botScopes }
  expect(readNewKey(bot, []).request).toEqual({ kind: 'bot_ready', request: { label: 'grid-eth-2', expiresInDays: 30, ipAllowlist: [] } })
})

test.each(['0', '2001', '1.5', '', '-3', '1e2'])('the new-key form refuses a key lifetime of %j days [KEY-02]', (days) => {
  expect(readNewKey({ ...named, days }, [])).toMatchObject({ days: 'Choose 1 to 2000 days.', request: null })
})

test.each(['1', '2000'])('the new-key form accepts a key lifetime of %s days [KEY-02]', (days) => {
  expect(readNewKey({ ...named, days }, []).request?.request.expiresInDays).toBe(Number(days))
})

test('the new-key form creates no key while an allowlist entry is invalid, but creates one if an entry only has a warning [KEY-03]', () => {
  expect(readNewKey({ ...named, entries: ['203.0.113.0/28', '198.51.100.0/33'] }, [])).toMatchObject({ wrongEntries: 1, request: null })
  expect(readNewKey({ ...named, entries: ['10.0.0.0/8'] }, []).request?.request.ipAllowlist).toEqual(['10.0.0.0/8'])
})

test('the new-key form sends a key’s chosen scopes as an explicit list in a fixed order [KEY-01]', () => {
  expect(readNewKey({ ...named, scopes: ['account:read', 'market:read'] }, []).request).toEqual({
    kind: 'custom',
    request: { label: 'grid-eth-2', expiresInDays: 30, ipAllowlist: [], quotas: [], scopes: ['market:read', 'account:read'] },
  })
  expect(readNewKey({ ...named, scopes: botScopes, agent: false }, []).request).toMatchObject({ kind: 'custom', request: { scopes: botScopes } })
})

test('the new-key form creates no key without a scope [KEY-01]', () => {
  expect(readNewKey({ ...named, scopes: [] }, [])).toMatchObject({ scopes: 'Choose at least one scope.', request: null })
})

test('the new-key form sends a key’s limits as typed, skips an empty row, and creates no key while a row is half filled [KEY-04]', () => {
  const quotas = [
    { name: ' requests_per_second ', value: '20' },
    { name: '', value: '' },
  ]
  expect(readNewKey({ ...named, quotas }, []).request?.request.quotas).toEqual([{ name: 'requests_per_second', value: '20' }])
  for (const wrong of [
    { name: 'prepare', value: '' },
    { name: '', value: '5' },
    { name: 'prepare', value: '-1' },
    { name: 'prepare', value: '1e3' },
  ]) {
    expect(readNewKey({ ...named, quotas: [wrong] }, [])).toMatchObject({ wrongQuotas: 1, request: null })
  }
  expect(readNewKey({ ...named, quotas: [quotas[0], quotas[0]].filter((quota) => quota !== undefined) }, []).wrongQuotas).toBe(1)
})

test('the new-key form shows the key’s full name as the service will receive it, and says that the app sets the length limit', () => {
  expect(labelHelp(' maker ', 'grid-eth-2')).toContain('Up to 60 characters here. The service gets the name with a tag, such as “maker #3fa91c”')
  expect(labelHelp(' ', 'maker 2')).toContain('“maker 2 #3fa91c”')
})
