import { expect, test } from 'vitest'
import { failure, value } from '../testing/desk.ts'
import { createMemoryVault } from '../testing/memory-vault.ts'
import { createWallet } from './wallet.ts'

const own = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const foreign = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const phone = { chainId: 8453, peerName: 'Phone', topic: 't' }

const start = (kind: 'practice' | 'live', vault = createMemoryVault()) =>
  createWallet({
    profile: { id: 'p1', kind, hostUrl: 'http://127.0.0.1:1', practiceWallet: kind === 'practice' ? own : null },
    vault,
    connection: () => ({ relayUrl: 'ws://127.0.0.1:1', projectId: 'id', appUrl: 'app://desk' }),
  })

test('practice takes its own wallet and no other: a practice signature would be valid on Base', async () => {
  const wallet = start('practice')
  value(await wallet.handlers['wallet.report']({ ...phone, address: own.toLowerCase() }))
  expect(wallet.current()?.address).toBe(own)
  expect(failure(await wallet.handlers['wallet.report']({ ...phone, address: foreign }))).toEqual({ kind: 'wrong_wallet', wallet: foreign, expected: own })
  expect(wallet.current()).toBeNull()
  expect(wallet.signer()).toEqual({ ok: false, failure: { kind: 'no_wallet' } })
})

test('a live profile takes any wallet, checksummed, and nothing that is no address', async () => {
  const wallet = start('live')
  value(await wallet.handlers['wallet.report']({ ...phone, address: foreign.toLowerCase() }))
  expect(value(await wallet.handlers['wallet.current']({}))?.address).toBe(foreign)
  expect(failure(await wallet.handlers['wallet.report']({ ...phone, address: '0x12' }))).toMatchObject({ kind: 'bad_input', field: 'address' })
  value(await wallet.handlers['wallet.report'](null))
  expect(value(await wallet.handlers['wallet.current']({}))).toBeNull()
})

test('a wallet on another chain signs nothing, and on Base it does [GEN-08]', async () => {
  const wallet = start('live')
  value(await wallet.handlers['wallet.report']({ ...phone, address: own, chainId: 84532 }))
  expect(wallet.signer()).toEqual({ ok: false, failure: { kind: 'wrong_chain', chainId: 84532, expected: 8453 } })
  value(await wallet.handlers['wallet.report']({ ...phone, address: own }))
  expect(wallet.signer(own).ok).toBe(true)
  expect(wallet.signer(foreign)).toEqual({ ok: false, failure: { kind: 'wrong_wallet', wallet: own, expected: foreign } })
})

test('WalletConnect’s store is kept in the vault, apart for each profile, and outlives a restart', async () => {
  const vault = createMemoryVault()
  const wallet = start('live', vault)
  value(await wallet.handlers['wallet.storageSet']({ key: 'wc@2:client//session', value: '[1]' }))
  value(await wallet.handlers['wallet.storageSet']({ key: 'wc@2:core//pairing', value: '[2]' }))
  value(await wallet.handlers['wallet.storageSet']({ key: 'wc@2:core//pairing', value: null }))
  expect([...vault.values.keys()]).toEqual(['walletconnect/p1/wc@2:client//session'])
  expect(value(await start('live', vault).handlers['wallet.storage']({}))).toEqual([['wc@2:client//session', '[1]']])
  expect(value(await wallet.handlers['wallet.bootstrap']({}))).toMatchObject({ chainId: 8453, storagePrefix: 'svc-desk-p1', practice: false })
})
