import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { isKnownWallet, PracticeDescriptor } from './practice.ts'

const descriptor = (walletAddress: string) => ({
  ...{ hostUrl: 'http://127.0.0.1:1', secondHostUrl: 'http://127.0.0.1:2', rpcUrl: 'http://127.0.0.1:3', relayUrl: 'ws://127.0.0.1:4' },
  ...{ phoneUrl: 'http://127.0.0.1:5', token: 't', router: '0x1', usdc: '0x2', svc: '0x3', hooksUrl: null, walletAddress },
})

test('the app refuses a publicly known wallet (such as a well-known test wallet) as practice wallet, in any letter case [T5]', () => {
  const everybodys = Array.from(
    { length: 10 },
    (_, index) => mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index }).address,
  )
  for (const address of [...everybodys, `0x${'0'.repeat(40)}`])
    for (const written of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
      expect(isKnownWallet(written)).toBe(true)
      expect(PracticeDescriptor.safeParse(descriptor(written)).success).toBe(false)
    }
})

test('the app accepts a randomly generated wallet as practice wallet [T5]', () => {
  expect(PracticeDescriptor.safeParse(descriptor(privateKeyToAddress(generatePrivateKey()))).success).toBe(true)
})
