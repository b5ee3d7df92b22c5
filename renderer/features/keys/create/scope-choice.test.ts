import { expect, test } from 'vitest'
import { adviseScopes, botScopes, inOrder, isBotReady, presetOf, presets, scopeWarnings, tasks } from './new-key-form.ts'

test('of the scope presets in the new-key form, only “treasury” can move collateral, and only “bot” can execute trades [KEY-01]', () => {
  expect(presets.filter(({ scopes }) => scopes.includes('collateral:manage')).map(({ id }) => id)).toEqual(['treasury'])
  expect(presets.filter(({ scopes }) => scopes.includes('trade:execute')).map(({ id }) => id)).toEqual(['bot'])
})

test('the new-key form recognises a preset of scopes regardless of the order in which the scopes are listed', () => {
  expect(presetOf(['account:read', 'market:read'])).toBe('monitor')
  expect(presetOf([...botScopes].reverse())).toBe('bot')
  expect(presetOf(['market:read', 'orders:manage'])).toBeNull()
  expect(isBotReady([...botScopes].reverse())).toBe(true)
  expect(isBotReady([...botScopes, 'collateral:manage'])).toBe(false)
})

test('the new-key form recommends the fewest scopes that cover all chosen tasks of a bot, with a reason for each scope', () => {
  expect(adviseScopes([]).scopes).toEqual([])
  expect(adviseScopes(['prices']).scopes).toEqual(['market:read'])
  expect(adviseScopes(['propose']).scopes).toEqual(['market:read', 'trade:prepare'])
  expect(adviseScopes(['trade', 'protect'])).toEqual({
    scopes: ['market:read', 'account:read', 'trade:execute', 'orders:manage'],
    reasons: [
      { scope: 'market:read', why: 'Orders include the price they were created at' },
      { scope: 'account:read', why: 'To track the result' },
      { scope: 'trade:execute', why: 'The bot acts through an executor, without your wallet' },
      { scope: 'orders:manage', why: 'TP and SL in delegated execution' },
    ],
  })
})

test('the new-key form recommends the scope to move collateral only for the treasury task', () => {
  const others = tasks.map(({ id }) => id).filter((id) => id !== 'treasury')
  expect(adviseScopes(others).scopes).toEqual(botScopes)
  expect(adviseScopes(['treasury']).scopes).toContain('collateral:manage')
})

test('the new-key form warns if a key can move collateral, warns further if it can also trade, and warns if a bot cannot read the account [KEY-01]', () => {
  expect(scopeWarnings(botScopes)).toEqual([])
  expect(scopeWarnings(['account:read', 'collateral:manage'])).toHaveLength(1)
  expect(scopeWarnings([...botScopes, 'collateral:manage'])).toHaveLength(2)
  expect(scopeWarnings(['trade:execute'])).toEqual(['Without “Read the account”, the bot cannot track its own orders.'])
})

test('the new-key form always sends a key’s scopes in the same order', () => {
  expect(inOrder(['orders:manage', 'market:read'])).toEqual(['market:read', 'orders:manage'])
})
