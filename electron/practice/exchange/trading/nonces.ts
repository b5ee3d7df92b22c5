import type { Address } from 'viem'
import type { State } from '../state/state.ts'

/** Never used on the router before: time-based, and above the wallet's last one. */
export function nextNonce(state: State, wallet: Address, nowMs: number): bigint {
  const last = BigInt(state.nonces[wallet] ?? '0')
  const nonce = last >= BigInt(nowMs) ? last + 1n : BigInt(nowMs)
  state.nonces[wallet] = nonce.toString()
  return nonce
}
