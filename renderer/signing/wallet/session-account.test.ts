import { expect, test } from 'vitest'
import { offersMethod, type SessionFacts, sharesChain, walletOfSession } from './session-account.ts'

const one = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const two = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const session = (...accounts: string[]): SessionFacts => ({
  topic: 't',
  peer: { metadata: { name: 'Phone' } },
  namespaces: { eip155: { accounts, methods: ['personal_sign'] } },
})

test('the app uses the WalletConnect session’s first account on the app’s chain, and writes the account’s address with a checksum', () => {
  expect(walletOfSession(session(`eip155:1:${two}`, `eip155:8453:${one.toLowerCase()}`), 8453, null)).toEqual({
    address: one,
    chainId: 8453,
    peerName: 'Phone',
    topic: 't',
  })
})

test('the app uses the account that the user selected in the wallet only if the WalletConnect session includes that account', () => {
  const both = session(`eip155:8453:${one}`, `eip155:8453:${two}`)
  expect(walletOfSession(both, 8453, two.toLowerCase())?.address).toBe(two)
  expect(walletOfSession(session(`eip155:8453:${one}`), 8453, two)?.address).toBe(one)
})

test('the app uses the wallet’s account on another chain if the WalletConnect session contains no account on the app’s chain', () => {
  const elsewhere = session(`eip155:1:${one}`)
  expect(walletOfSession(elsewhere, 8453, null)?.chainId).toBe(1)
  expect(sharesChain(elsewhere, 8453)).toBe(false)
  expect(sharesChain(session(`eip155:8453:${one}`), 8453)).toBe(true)
})

test('the app also reads accounts from a WalletConnect namespace for a single chain, and skips invalid accounts', () => {
  const narrow: SessionFacts = {
    ...session(),
    namespaces: { 'eip155:8453': { accounts: [`eip155:8453:${one}`], methods: [] }, solana: { accounts: ['solana:x:y'], methods: [] } },
  }
  expect(walletOfSession(narrow, 8453, null)?.address).toBe(one)
  expect(walletOfSession(session('eip155:8453:0x12'), 8453, null)).toBeNull()
})

test('the app recognises whether the wallet offers a required method, such as eth_signTypedData_v4', () => {
  expect(offersMethod(session(), 'personal_sign')).toBe(true)
  expect(offersMethod(session(), 'eth_signTypedData_v4')).toBe(false)
})
