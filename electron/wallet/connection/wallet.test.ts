import { expect, test } from 'vitest'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { createWallet } from './wallet.ts'

const own = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const foreign = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const phone = { chainId: 8453, peerName: 'Phone', topic: 't' }

const start = (kind: 'practice' | 'live', { vault = createMemoryVault(), lastUsed = null as string | null } = {}) =>
  createWallet({
    profile: { id: 'p1', kind, hostUrl: 'http://127.0.0.1:1', practiceWallet: kind === 'practice' ? own : null },
    vault,
    connection: () => ({ relayUrl: 'ws://127.0.0.1:1', projectId: 'id', appUrl: 'app://desk' }),
    lastUsed: () => lastUsed,
  })

test('in practice mode, the app accepts only the practice wallet, because another wallet’s signatures would also be valid on Base', async () => {
  const wallet = start('practice')
  expect(value(await wallet.handlers['wallet.report']({ ...phone, address: own.toLowerCase() }))).toEqual({ state: 'taken', expected: null, changed: false })
  expect(wallet.current()?.address).toBe(own)
  expect(value(await wallet.handlers['wallet.report']({ ...phone, address: foreign }))).toEqual({ state: 'refused', expected: own, changed: true })
  expect(wallet.current()).toBeNull()
  const refused = { ok: false, failure: { kind: 'wrong_wallet', wallet: foreign, expected: own } }
  expect([wallet.connected(), wallet.signer(), wallet.signer(own), wallet.shown()]).toEqual([refused, refused, refused, refused])
})

test('the app accepts any wallet address in a live profile, corrects its capitals to match the checksum, and refuses a malformed address', async () => {
  const wallet = start('live')
  value(await wallet.handlers['wallet.report']({ ...phone, address: foreign.toLowerCase() }))
  expect(wallet.current()?.address).toBe(foreign)
  expect(failure(await wallet.handlers['wallet.report']({ ...phone, address: '0x12' }))).toMatchObject({ kind: 'bad_input', field: 'address' })
  value(await wallet.handlers['wallet.report'](null))
  expect(wallet.current()).toBeNull()
})

test('the app requests no signature while the wallet is on another chain than Base [GEN-08]', async () => {
  const wallet = start('live')
  value(await wallet.handlers['wallet.report']({ ...phone, address: own, chainId: 84532 }))
  expect(wallet.signer()).toEqual({ ok: false, failure: { kind: 'wrong_chain', chainId: 84532, expected: 8453 } })
  value(await wallet.handlers['wallet.report']({ ...phone, address: own }))
  expect(wallet.signer(own).ok).toBe(true)
  expect(wallet.signer(foreign)).toEqual({ ok: false, failure: { kind: 'wrong_wallet', wallet: own, expected: foreign } })
})

test('the app shows the last used wallet’s data while no wallet is connected, and never mixes two wallets’ data [AUTH-03]', async () => {
  const wallet = start('practice', { lastUsed: own })
  const shown = async () => value(await wallet.handlers['wallet.shown']({}))
  const report = async (address: string | null) => value(await wallet.handlers['wallet.report'](address === null ? null : { ...phone, address }))
  expect(await shown()).toEqual({ address: own, connected: false })
  expect((await report(foreign)).changed).toBe(true)
  expect(await shown()).toEqual({ address: null, connected: false })
  expect((await report(own)).changed).toBe(false)
  expect(await shown()).toEqual({ address: own, connected: true })
  expect((await report(null)).changed).toBe(false)
  expect(await shown()).toEqual({ address: own, connected: false })
})

test('if another wallet replaces the one shown, the app notifies the window to load the new wallet’s screens [AUTH-03]', async () => {
  const wallet = start('live', { lastUsed: foreign })
  const changed = async (address: string, chainId = 8453) => value(await wallet.handlers['wallet.report']({ ...phone, address, chainId })).changed
  expect(await changed(own)).toBe(true)
  expect(await changed(own, 1)).toBe(false)
  expect(await changed(foreign)).toBe(true)
  expect(await changed(own)).toBe(true)
  expect(value(await wallet.handlers['wallet.report'](null)).changed).toBe(true)
})

test('when a wallet disconnects and no last used wallet is stored, the app does not make the window load its screens again', async () => {
  const wallet = start('live')
  value(await wallet.handlers['wallet.report']({ ...phone, address: own }))
  expect(value(await wallet.handlers['wallet.report'](null)).changed).toBe(false)
  expect(value(await wallet.handlers['wallet.shown']({}))).toEqual({ address: null, connected: false })
})

test('the app stores WalletConnect’s data in the vault, separately for each profile, and finds it after a restart', async () => {
  const vault = createMemoryVault()
  const wallet = start('live', { vault })
  value(await wallet.handlers['wallet.storageSet']({ key: 'wc@2:client//session', value: '[1]' }))
  value(await wallet.handlers['wallet.storageSet']({ key: 'wc@2:core//pairing', value: '[2]' }))
  value(await wallet.handlers['wallet.storageSet']({ key: 'wc@2:core//pairing', value: null }))
  expect([...vault.values.keys()]).toEqual(['walletconnect/p1/wc@2:client//session'])
  expect(value(await start('live', { vault }).handlers['wallet.storage']({}))).toEqual([['wc@2:client//session', '[1]']])
  expect(value(await wallet.handlers['wallet.bootstrap']({}))).toMatchObject({ chainId: 8453, storagePrefix: 'svc-desk-p1', practice: false })
})
