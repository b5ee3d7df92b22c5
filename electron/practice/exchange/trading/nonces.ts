import type { Address } from 'viem'
import type { State } from '../state/state.ts'

export function nextNonce(state: State, wallet: Address, nowMs: number): bigint {
  const last = BigInt(state.nonces[wallet] ?? '0')
  const nonce = last >= BigInt(nowMs) ? last + 1n : BigInt(nowMs)
  state.nonces[wallet] = nonce.toString()
  return nonce
}
