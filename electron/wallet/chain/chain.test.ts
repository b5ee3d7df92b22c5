import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hashMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { createChain } from './chain.ts'
import { createPostJson } from './rpc.ts'

let answer: (call: { method: string; params: unknown[] }) => unknown = () => null
let asked: string[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const call = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    asked.push(call.method)
    const result = answer(call)
    response.end(
      typeof result === 'string' && result.startsWith('raw:') ? result.slice(4) : JSON.stringify({ jsonrpc: '2.0', id: call.id, ...(result as object) }),
    )
  })
})
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const account = privateKeyToAccount(generatePrivateKey())
const contract = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const chain = createChain({ rpcUrl: async () => url(), post: createPostJson() })
const unreachable = createChain({ rpcUrl: async () => 'http://127.0.0.1:1', post: createPostJson() })
const hash = hashMessage('hello')

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve())))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
beforeEach(() => {
  asked = []
  answer = () => ({ result: null })
})

const rpc = (method: string, params = '[]') => chain.handlers['chain.rpc']({ method, params })

test.each([
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sign',
  'personal_sign',
  'eth_signTypedData_v4',
  'wallet_switchEthereumChain',
  'anvil_mine',
  'toString',
  '__proto__',
])('the app refuses the Base RPC method %s before sending anything', async (method) => {
  expect(failure(await rpc(method))).toMatchObject({ kind: 'bad_input', field: 'method' })
  expect(asked).toEqual([])
})

test('the app forwards a read-only RPC call to the RPC node and returns the result as JSON', async () => {
  answer = ({ method, params }) => ({ result: { method, params } })
  expect(JSON.parse(value(await rpc('eth_call', '[{"to":"0x1"},"latest"]')).result)).toEqual({ method: 'eth_call', params: [{ to: '0x1' }, 'latest'] })
  expect(failure(await rpc('eth_call', 'not json'))).toMatchObject({ kind: 'bad_input', field: 'params' })
})

test('an RPC call of the app fails on an error or an unreadable or endless answer, and its failure never reveals the RPC URL', async () => {
  answer = () => ({ error: { code: -32000, message: 'execution reverted' } })
  expect(failure(await rpc('eth_call'))).toMatchObject({ kind: 'refused', code: '-32000', message: 'execution reverted' })
  answer = () => 'raw:<html>'
  const unreadable = failure(await rpc('eth_call'))
  expect(unreadable).toMatchObject({ kind: 'unreachable', reason: 'malformed' })
  answer = () => `raw:${'x'.repeat(5 * 1_048_576)}`
  const endless = failure(await rpc('eth_call'))
  expect(endless).toMatchObject({ kind: 'unreachable' })
  expect(JSON.stringify([unreadable, endless])).not.toContain('127.0.0.1')
})

test('the app verifies a plain account’s signature locally, and asks the RPC node only if the signature recovers to another address [AUTH-07]', async () => {
  const signature = await account.signMessage({ message: 'hello' })
  expect(value(await unreachable.verify(account.address, hash, signature))).toEqual({ valid: true, signature })
  const counted = `${signature.slice(0, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}`
  expect(value(await unreachable.verify(account.address, hash, counted))).toEqual({ valid: true, signature })
  const other = privateKeyToAccount(generatePrivateKey())
  answer = () => ({ result: '0x' })
  expect(value(await chain.verify(other.address, hash, signature))).toEqual({ valid: false, recovered: account.address })
})

test('the app asks a contract wallet’s own contract whether the wallet’s signature is valid [AUTH-07]', async () => {
  const word = { valid: true }
  answer = ({ method }) => {
    if (method === 'eth_getCode') return { result: '0x6001' }
    if (method === 'eth_call') return { result: word.valid ? `0x${'0'.repeat(63)}1` : `0x${'0'.repeat(64)}` }
    return { result: '0x2105' }
  }
  const signature = `0x${'ab'.repeat(97)}`
  expect(value(await chain.verify(contract, hash, signature))).toEqual({ valid: true, signature })
  expect(asked).toContain('eth_call')
  word.valid = false
  expect(value(await chain.verify(contract, hash, signature))).toEqual({ valid: false, recovered: null })
})

test('the app rejects a signature that recovers to another address if the wallet’s own address has no contract code [AUTH-07]', async () => {
  answer = () => ({ result: '0x' })
  expect(value(await chain.verify(contract, hash, `0x${'ab'.repeat(97)}`))).toEqual({ valid: false, recovered: null })
  expect(failure(await unreachable.verify(contract, hash, `0x${'ab'.repeat(97)}`)).kind).toBe('unreachable')
})

test('the app reports whether an address has contract code, or null if the RPC node does not answer', async () => {
  answer = () => ({ result: '0x6001' })
  expect(await chain.hasCode(contract)).toBe(true)
  answer = () => ({ result: '0x' })
  expect(await chain.hasCode(contract)).toBe(false)
  expect(await unreachable.hasCode(contract)).toBeNull()
  expect(await unreachable.blockNumber()).toBeNull()
})
