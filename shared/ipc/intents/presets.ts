import { z } from 'zod'
import { limits } from '../../api/limits.ts'
import { presetLimits } from '../../ticket/form/ticket-state.ts'
import { command, query } from '../define.ts'
import { Decimal } from '../reads/markets.ts'
import { Side, TimeInForce } from './tickets.ts'

/** Order terms that the user can save and use again. Contains no market, prices or id. */
export const TicketPreset = z.object({
  name: z.string().trim().min(1).max(presetLimits.longestName),
  side: Side,
  orderType: z.enum(['market', 'limit', 'stop']),
  marginMode: z.enum(['cross', 'isolated']),
  leverage: z.number().int().min(1).max(9_999),
  /** The order value as decimal text, in the unit that `valueIn` names; null: the user entered no value. */
  orderValue: Decimal.nullable(),
  valueIn: z.enum(['usdc', 'base', 'free_margin']),
  maxSlippageBps: z.number().int().min(limits.slippageBps.min).max(limits.slippageBps.max),
  timeInForce: TimeInForce,
  postOnly: z.boolean(),
  restIfUnfilled: z.boolean(),
  /** Distance of the take profit from the entry price in percent, unsigned; null if none. `stopLossPercent` is the same for the stop loss. */
  takeProfitPercent: Decimal.nullable(),
  stopLossPercent: Decimal.nullable(),
})
export type TicketPreset = z.infer<typeof TicketPreset>

/** The user's settings for the order ticket in this profile. */
export const TicketSettings = z.object({
  /** true: the user edits the order's JSON payload directly. */
  expert: z.boolean(),
})
export type TicketSettings = z.infer<typeof TicketSettings>

export const presets = {
  /** Returns the saved presets, sorted by name. */
  'presets.list': query(z.object({}), z.object({ presets: z.array(TicketPreset) }), 'app'),
  /** Saves a preset. A preset with the same name is replaced. Fails with `bad_input` if the profile already has the maximum number of presets. */
  'presets.save': command(TicketPreset, z.object({}), { invalidates: ['presets.list'] }),
  'presets.remove': command(z.object({ name: z.string().max(presetLimits.longestName) }), z.object({}), { invalidates: ['presets.list'] }),
  'presets.settings': query(z.object({}), TicketSettings, 'app'),
  'presets.saveSettings': command(TicketSettings, TicketSettings, { invalidates: ['presets.settings'] }),
} as const
