import { z } from 'zod'
import { Drift } from '../../../shared/ipc/host/service.ts'
import { RiskThresholds } from '../../../shared/ipc/reads/risk-alerts.ts'
import { WatchedWallet } from '../../../shared/ipc/reads/watched-wallets.ts'
import type { LayoutPin } from '../../../shared/signing/pins.ts'
import { record, text } from './record.ts'

const PinnedField = z.object({
  path: z.string(),
  type: z.string(),
  role: z.string().nullable(),
  unit: z.enum(['usdc', 'price', 'times', 'base', 'bps']).nullable(),
  scale: z.number().nullable(),
  words: z.record(z.string(), z.string()).nullable(),
  rule: z.enum(['empty', 'fixed', 'random', 'time']).nullable(),
  value: z.string().nullable(),
  values: z.record(z.string(), z.string()).exactOptional(),
})

const StoredLayouts: z.ZodType<readonly LayoutPin[]> = z.array(
  z.object({
    hash: z.string(),
    usdcScale: z.number().nullable(),
    priceScale: z.number().nullable(),
    leverageScale: z.number().nullable(),
    // Layouts that were confirmed before sizes were read have none.
    sizeScale: z.number().nullable().default(null),
    // Those that were confirmed before meanings were kept get them with the next message that says what was asked for.
    format: z
      .object({ variants: z.array(z.string()), fields: z.array(PinnedField), unsaid: z.record(z.string(), z.string()) })
      .nullable()
      .default(null),
  }),
)

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** What is pinned, agreed to and watched: of the wallet, the service and what is read. */
export const accountRecords = {
  pinnedRouters: text('pin/{profile}/router', Address),
  pinnedTokens: text('pin/{profile}/token', Address),
  pinnedOwnTokens: text('pin/{profile}/token/svc', Address),
  pinnedLayouts: record('pin/{profile}/layout/{kind}', StoredLayouts),
  trustedContracts: record('pin/{profile}/trusted', z.array(z.string())),
  /** The drifts that the user agreed to. */
  agreedDrifts: record('drift/{profile}/agreed', z.array(Drift)),
  /** Any text: the field map has versions of its own, says in Settings what it cannot read, and gives it back by undo. */
  fieldMaps: text('field-map/{profile}'),
  fieldMapsBefore: text('field-map/{profile}/before'),
  /** From before there were field maps: by request, the names of its fields. */
  formerFieldNames: record('corrections/{profile}', z.record(z.string(), z.unknown())),
  watchedWallets: record('watch/{profile}/{address}', WatchedWallet),
  favouriteMarkets: record('markets/{profile}/favourites', z.array(z.number().int())),
  /** `whose`: `own` or `watched`. */
  riskThresholds: record('alerts/{profile}/{whose}/{wallet}/thresholds', RiskThresholds),
  /** What was told of and has not recovered: `health`, or a position's market and side. */
  riskAlerts: record('alerts/{profile}/{whose}/{wallet}/told', z.array(z.string())),
  hiddenColumns: record('account/{profile}/columns', z.array(z.string())),
}
