import { beforeEach, expect, test } from 'vitest'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { createChain } from './chain.ts'
import { onBase, type PostJson } from './rpc.ts'

let chainId: string
let away: boolean
let url: string
let asked: string[]

beforeEach(() => {
  chainId = '0x2105'
  away = false
  url = 'http://127.0.0.1/a'
  asked = []
})

const node: PostJson = async (to, body) => {
  const { method } = JSON.parse(body)
  asked.push(`${to.at(-1)} ${method}`)
  if (away) throw new Error('away')
  return { status: 200, text: foreign(JSON.stringify({ jsonrpc: '2.0', id: 1, result: method === 'eth_chainId' ? chainId : '0x10' })) }
}
const open = () => {
  const rpc = { rpcUrl: async () => url, post: node }
  const { post, mismatch } = onBase(rpc)
  return createChain({ ...rpc, post, mismatch })
}

test('the app asks each RPC URL for its chain id once before any other call, and again after a failed call', async () => {
  const chain = open()
  expect(await Promise.all([chain.blockNumber(), chain.blockNumber()])).toEqual([16, 16])
  expect(await chain.mismatch()).toBe(null)
  expect(asked.splice(0)).toEqual(['a eth_chainId', 'a eth_blockNumber'])
  url = 'http://127.0.0.1/b'
  await chain.blockNumber()
  expect(asked.splice(0)).toEqual(['b eth_chainId', 'b eth_blockNumber'])
  away = true
  expect(await chain.blockNumber()).toBe(null)
  away = false
  chainId = '0x1'
  asked.splice(0)
  // Behind the same RPC URL, a node on another chain now answers.
  expect(await chain.blockNumber()).toBe(null)
  expect(asked).toEqual(['b eth_chainId'])
})

test('the app rejects answers of an RPC node on another chain, reports that chain, and accepts answers once the node is on Base', async () => {
  chainId = '0x14a34'
  const chain = open()
  const failure = { kind: 'rpc_wrong_chain', chainId: 84_532, expected: 8453 }
  expect(await chain.blockNumber()).toBe(null)
  expect(await chain.mismatch()).toEqual(failure)
  expect(await chain.handlers['chain.rpc']({ method: 'eth_getCode', params: '["0x0","latest"]' })).toEqual({ ok: false, failure })
  const contract = await chain.verify('0x8ba1f109551bD432803012645Ac136ddd64DBA72', `0x${'11'.repeat(32)}`, '0x1234')
  expect(contract).toEqual({ ok: false, failure })
  expect(asked.filter((call) => !call.endsWith('eth_chainId'))).toEqual([])
  chainId = '0x2105'
  expect(await chain.blockNumber()).toBe(16)
})

test('the app treats an RPC node that does not state its chain as one that does not answer, not as a node on another chain', async () => {
  chainId = 'base'
  const chain = open()
  expect(await chain.blockNumber()).toBe(null)
  expect(await chain.mismatch()).toBe(null)
})
