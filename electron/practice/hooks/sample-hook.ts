import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { Clock } from '../../../shared/time.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { sampleAudit } from './sample-audit.ts'
import { sampleKeys } from './sample-keys.ts'

const activeAllowed = 10

export const WalletAddress = z
  .string()
  .refine((text) => isAddress(text))
  .transform((text) => getAddress(text))

/** Fills a wallet's lists, for pictures and for tests of long ones. */
export const SampleHook = z.strictObject({
  /** Absent: the phone's. */
  wallet: WalletAddress.optional(),
  keys: z.number().int().min(0).max(64).default(64),
  audit: z.number().int().min(0).max(5_000).default(5_000),
})
export type SampleHook = z.infer<typeof SampleHook>

/** The sample's active keys, with their secrets. */
export type Sample = readonly { readonly key_id: string; readonly label: string; readonly api_key: string }[]

/** Gives the wallet at most as many active keys as it may still have; a second sample replaces the first. */
export function takeSample(
  { exchange, clock, chain }: { exchange: Exchange; clock: Clock; chain: { readonly router: `0x${string}` } },
  { wallet, keys, audit }: SampleHook & { readonly wallet: `0x${string}` },
): Sample {
  const nowMs = clock.now()
  const make = (active: number) => sampleKeys({ wallet, router: chain.router, nowMs, count: keys, active })
  const ids = new Set(make(0).map(({ row }) => row.id))
  const others = exchange.effects().keys.filter((key) => key.wallet === wallet && key.status === 'active' && !ids.has(String(key.key_id)))
  const made = make(Math.max(0, activeAllowed - others.length))
  const rows = made.map(({ row }) => row)
  exchange.adopt({ keys: rows, audit: sampleAudit({ wallet, keys: rows, nowMs, count: audit }) })
  const isActive = ({ expiresAtMs, revokedAtMs }: (typeof rows)[number]) => revokedAtMs === null && nowMs < expiresAtMs
  return made.filter(({ row }) => isActive(row)).map(({ row, secret }) => ({ key_id: row.id, label: row.label, api_key: secret }))
}
