import { z } from 'zod'
import type { Phone } from '../wallet/phone.ts'

/** What a test may have the phone do. Absent means: as it is. */
export const WalletHook = z.strictObject({
  /** Approves whatever comes and whatever waits. */
  autoApprove: z.boolean().optional(),
  /** Neither approves nor rejects by itself, whatever else is set. */
  hold: z.boolean().optional(),
  /** Signs with the other account whatever account is asked. */
  signAs: z.enum(['other']).nullable().optional(),
  account: z.enum(['main', 'other']).optional(),
  chain: z.number().int().positive().optional(),
  /** Rejects whatever comes and whatever waits, with this code. */
  rejectCode: z.number().int().nullable().optional(),
  disconnect: z.literal(true).optional(),
})
export type WalletHook = z.infer<typeof WalletHook>

export interface WalletHooks {
  apply(hook: WalletHook): Promise<void>
}

/** A user with fixed habits, in the place of the one who presses the phone's buttons. */
export function createWalletHooks(phone: Phone): WalletHooks {
  let autoApprove = false
  let hold = false
  let rejectCode: number | null = null
  const settle = async (id: string) => {
    if (hold) return
    if (rejectCode !== null) await phone.reject(id, rejectCode)
    else if (autoApprove) await phone.approve(id)
  }
  phone.onRequest(({ id }) => void settle(id))
  return {
    apply: async (hook) => {
      autoApprove = hook.autoApprove ?? autoApprove
      hold = hook.hold ?? hold
      if (hook.rejectCode !== undefined) rejectCode = hook.rejectCode
      if (hook.signAs !== undefined) phone.signAs(hook.signAs)
      if (hook.account !== undefined) await phone.switchAccount(hook.account)
      if (hook.chain !== undefined) await phone.switchChain(hook.chain)
      if (hook.disconnect === true) await phone.disconnectAll()
      for (const { id } of phone.state().requests) await settle(id)
    },
  }
}
