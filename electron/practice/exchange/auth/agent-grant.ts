import { randomBytes } from 'node:crypto'
import { type Address, getAddress } from 'viem'
import { domainFields, routerDomain, type WireTypedData } from '../../chain/wire-typed-data.ts'

/** Builds the grant: data that the wallet signs once. It allows the agent to trade for the wallet until the key expires. */
export function agentGrant({
  wallet,
  agent,
  router,
  keyExpiresAtMs,
}: {
  wallet: Address
  agent: Address
  router: Address
  keyExpiresAtMs: number
}): WireTypedData {
  return {
    domain: routerDomain(router),
    types: {
      EIP712Domain: domainFields,
      AgentGrant: [
        { name: 'wallet', type: 'address' },
        { name: 'agent', type: 'address' },
        { name: 'permissions', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'expiresAt', type: 'uint256' },
      ],
    },
    primaryType: 'AgentGrant',
    message: {
      wallet,
      agent,
      permissions: 'trade',
      nonce: BigInt(`0x${randomBytes(8).toString('hex')}`).toString(),
      expiresAt: Math.floor(keyExpiresAtMs / 1000).toString(),
    },
  }
}

/**
 * A random agent address. The real service holds the private key of an agent. The practice exchange sends nothing from the agent's account, so it
 * needs only an address.
 */
export const newAgent = (): Address => getAddress(`0x${randomBytes(20).toString('hex')}`)
