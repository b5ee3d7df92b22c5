import { formatDecimal, fromUnits } from '../../decimal.ts'
import type { Spending } from '../../ipc/intents/signing.ts'
import { shortAddress } from '../wording.ts'
import { unlimitedFrom } from './payment-call.ts'

/** `until` is when the right ends if it is not used, for example "14:35:08 UTC"; null: never by itself. */
export function spendingOf(token: string, spender: string, units: bigint, decimals: number, until: string | null): Spending {
  const amount = units >= unlimitedFrom ? null : fromUnits(units, decimals)
  const most = amount === null ? `any amount of ${token}` : `up to ${formatDecimal(amount, { minDecimals: 2 })} ${token}`
  const end = until === null ? 'at any time, until it is used or taken back' : `until ${until}`
  return { token, spender, amount, sentence: `This lets ${shortAddress(spender)} take ${most} from your wallet, ${end}.` }
}
