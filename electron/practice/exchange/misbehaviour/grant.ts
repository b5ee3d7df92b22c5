import type { Faults } from '../../faults.ts'
import type { WireTypedData } from '../trading/typed-data.ts'

const stranger = '0x000000000000000000000000000000000000dEaD'

/** The grant as the fault wants it. The exchange verifies the signature over the true one. */
export function misleadGrant(grant: WireTypedData, fault: Faults['grant'], nowMs: number): WireTypedData {
  const saying = (message: Record<string, string>): WireTypedData => ({ ...grant, message: { ...grant.message, ...message } })
  switch (fault) {
    case null:
      return grant
    case 'agent':
      return saying({ agent: stranger })
    case 'wallet':
      return saying({ wallet: stranger })
    case 'chain':
      return { ...grant, domain: { ...grant.domain, chainId: 1 } }
    case 'router':
      return { ...grant, domain: { ...grant.domain, verifyingContract: stranger } }
    case 'expired':
      return saying({ expiresAt: String(Math.floor(nowMs / 1000) - 3_600) })
    case 'endless':
      return saying({ expiresAt: (2n ** 256n - 1n).toString() })
    case 'extra_field':
      return {
        ...grant,
        types: { ...grant.types, [grant.primaryType]: [...(grant.types[grant.primaryType] ?? []), { name: 'withdrawTo', type: 'address' }] },
        message: { ...grant.message, withdrawTo: stranger },
      }
  }
}
