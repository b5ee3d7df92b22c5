import { z } from 'zod'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import type { LayoutPin, RouterDecision } from '../../../shared/signing/pins.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { readRecord } from '../../store/journal/kept-record.ts'
import { type ContractPinDeps, createContractPin } from './contract-pin.ts'
import { createTrustedContracts, type TrustedContracts } from './trusted-contracts.ts'

export interface PinsDeps extends Pick<ContractPinDeps, 'values' | 'published' | 'hasCode' | 'rpcHost'> {
  readonly profile: ProfileFacts
}

export interface Pins {
  router(): string | null
  /** What speaks for a router that typed data names, and whether the user may confirm it. null where the candidate is no address. */
  decide(candidate: string | null, isExit?: boolean): Promise<RouterDecision | null>
  /** Pins a router by the user's word. Fails with `signing_refused` or `confirmation_required`. */
  confirmRouter(decision: RouterDecision, typed: string | null): Result<void, Failure>
  /** What a transaction may call, and a permit may name: the router or another contract that was confirmed. */
  readonly trusted: TrustedContracts
  /** The layouts confirmed for a kind of message (`open_position`, `agent_grant`), newest last. */
  layouts(kind: string): readonly LayoutPin[]
  /** Adds a layout, or renews what is known of it. */
  addLayout(kind: string, layout: LayoutPin): void
}

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

const StoredLayouts = z.array(
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

/** What this profile trusts: the router and the layouts of messages, each confirmed once by the user. */
export function createPins({ profile, values, published, hasCode, rpcHost }: PinsDeps): Pins {
  const router = createContractPin({ what: 'router', name: `pin/${profile.id}/router`, values, published, hasCode, rpcHost })
  const layoutName = (kind: string) => `pin/${profile.id}/layout/${kind}`
  /** What cannot be read is not trusted: the user is asked again. */
  const layouts = (kind: string): LayoutPin[] => readRecord(StoredLayouts, values.get(layoutName(kind))) ?? []

  return {
    router: router.pinned,
    decide: router.decide,
    confirmRouter: router.confirm,
    trusted: createTrustedContracts({ name: `pin/${profile.id}/trusted`, router, values, published, hasCode, rpcHost }),
    layouts,
    addLayout: (kind, layout) => values.set(layoutName(kind), JSON.stringify([...layouts(kind).filter(({ hash }) => hash !== layout.hash), layout])),
  }
}
