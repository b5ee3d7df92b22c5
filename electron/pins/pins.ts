import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { acceptsRouter, decideRouter, type LayoutPin, type RouterDecision, sameAddress } from '../../shared/signing/pins.ts'
import type { Values } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

export interface PinsDeps {
  readonly profile: ProfileFacts
  readonly values: Values
  /** The router as `/api/dex/config` and `/meta` publish it; null where they do not say. */
  readonly published: () => Promise<{ readonly config: string | null; readonly meta: string | null }>
  /** Whether a contract stands there on an RPC that is not the service's; null: it could not be asked. */
  readonly hasCode: (address: string) => Promise<boolean | null>
}

export interface Pins {
  router(): string | null
  /** What speaks for a router that typed data names, and whether the user may confirm it. null where the candidate is no address. */
  decide(candidate: string | null): Promise<RouterDecision | null>
  /** Pins a router by the user's word. Fails with `signing_refused` or `confirmation_required`. */
  confirmRouter(decision: RouterDecision, typed: string | null): Result<void, Failure>
  /** The layouts confirmed for a kind of message (`open_position`, `agent_grant`), newest last. */
  layouts(kind: string): readonly LayoutPin[]
  /** Adds a layout, or renews what is known of it. */
  addLayout(kind: string, layout: LayoutPin): void
}

const StoredLayouts = z.array(
  z.object({ hash: z.string(), usdcScale: z.number().nullable(), priceScale: z.number().nullable(), leverageScale: z.number().nullable() }),
)

/** What this profile trusts: the router and the layouts of messages, each confirmed once by the user. */
export function createPins({ profile, values, published, hasCode }: PinsDeps): Pins {
  const routerName = `pin/${profile.id}/router`
  const layoutName = (kind: string) => `pin/${profile.id}/layout/${kind}`
  const layouts = (kind: string): LayoutPin[] => {
    const text = values.get(layoutName(kind))
    return text === null ? [] : StoredLayouts.parse(JSON.parse(text))
  }

  return {
    router: () => values.get(routerName),
    decide: async (written) => {
      if (written === null || !isAddress(written, { strict: false })) return null
      const candidate = getAddress(written)
      const pinned = values.get(routerName)
      // What was pinned is what is trusted: nothing needs to vouch for it again.
      if (sameAddress(pinned, candidate)) return decideRouter({ candidate, pinned, publishedByConfig: null, publishedByMeta: null, hasCode: null })
      const [said, code] = await Promise.all([published(), hasCode(candidate)])
      return decideRouter({ candidate, pinned, publishedByConfig: said.config, publishedByMeta: said.meta, hasCode: code })
    },
    confirmRouter: (decision, typed) => {
      if (acceptsRouter(decision, typed)) {
        if (decision.state !== 'pinned') values.set(routerName, decision.candidate)
        return ok(undefined)
      }
      const [concern] = decision.concerns
      if (!decision.confirmable || decision.state === 'pinned')
        return fail({ kind: 'signing_refused', sentence: concern ?? `The contract ${decision.candidate} cannot be used.` })
      return fail({ kind: 'confirmation_required', what: 'router', expected: decision.state === 'new' ? 'yes' : decision.candidate })
    },
    layouts,
    addLayout: (kind, layout) => values.set(layoutName(kind), JSON.stringify([...layouts(kind).filter(({ hash }) => hash !== layout.hash), layout])),
  }
}
