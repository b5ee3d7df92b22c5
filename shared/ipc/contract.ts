import type { z } from 'zod'
import type { Result } from '../result.ts'
import { account } from './account.ts'
import { accountHistory } from './account-history.ts'
import { accountReport } from './account-report.ts'
import { activity } from './activity.ts'
import { agents } from './agents.ts'
import { app } from './app.ts'
import { audit } from './audit.ts'
import type { CommandDefinition, QueryDefinition } from './define.ts'
import { doctor } from './doctor.ts'
import { execution } from './execution.ts'
import type { Failure } from './failure.ts'
import { fieldMap } from './field-map.ts'
import { gaps } from './gaps.ts'
import { guards } from './guards.ts'
import { keys } from './keys.ts'
import { leaks } from './leaks.ts'
import { lock } from './lock.ts'
import { marketState } from './market-state.ts'
import { markets } from './markets.ts'
import { orders } from './orders.ts'
import { pace } from './pace.ts'
import { panic } from './panic.ts'
import { phone } from './phone.ts'
import { presets } from './presets.ts'
import { profiles } from './profiles.ts'
import { radar } from './radar.ts'
import { receipts } from './receipts.ts'
import { receiverLab } from './receiver-lab.ts'
import { receiverTest } from './receiver-test.ts'
import { replacements } from './replacements.ts'
import { requests } from './requests.ts'
import { riskAlerts } from './risk-alerts.ts'
import { secrets } from './secrets.ts'
import { service } from './service.ts'
import { serviceCheck } from './service-check.ts'
import { session } from './session.ts'
import { sweeps } from './sweeps.ts'
import { wallet } from './wallet.ts'
import { watchedWallets } from './watched-wallets.ts'
import { webhooks } from './webhooks.ts'

/** Everything that the main window may ask of the main process. */
export const deskContract = {
  ...app,
  ...pace,
  ...lock,
  ...profiles,
  ...wallet,
  ...session,
  ...keys,
  ...replacements,
  ...panic,
  ...markets,
  ...marketState,
  ...service,
  ...serviceCheck,
  ...account,
  ...accountHistory,
  ...accountReport,
  ...watchedWallets,
  ...riskAlerts,
  ...presets,
  ...fieldMap,
  ...orders,
  ...guards,
  ...sweeps,
  ...execution,
  ...activity,
  ...requests,
  ...secrets,
  ...agents,
  ...doctor,
  ...audit,
  ...radar,
  ...leaks,
  ...webhooks,
  ...receiverLab,
  ...receiverTest,
  ...receipts,
  ...gaps,
} as const
/** Everything that the practice phone's window may ask. */
export const phoneContract = { ...phone } as const
export const contract = { ...deskContract, ...phoneContract } as const

export type Contract = typeof contract
export type Name = keyof Contract
export type QueryName = { [N in Name]: Contract[N] extends QueryDefinition ? N : never }[Name]
export type CommandName = { [N in Name]: Contract[N] extends CommandDefinition ? N : never }[Name]
export type Input<N extends Name> = z.input<Contract[N]['input']>
export type Output<N extends Name> = z.output<Contract[N]['output']>

/** What crosses the wire for one call. `invalidates` names the queries whose answers are old now. */
export interface Answer<T> {
  readonly result: Result<T, Failure>
  readonly invalidates: readonly string[]
}

/** What main says by itself. */
export type DeskEvent =
  | { readonly type: 'invalidate'; readonly queries: readonly string[] }
  /** An intent reached a state that the user waits for, or a thing that needs a notice. */
  | {
      readonly type: 'notice'
      readonly severity: 'ok' | 'info' | 'warn' | 'danger'
      readonly title: string
      readonly text: string
      readonly to: string | null /** Told by the system too, for whoever looks elsewhere. */
      readonly system?: true
    }
  /** Main asks the window to load anew, because the profile changed. */
  | { readonly type: 'reload' }

/** What the preload puts on `window.desk`: one function to ask, one to listen. Nothing else. */
export interface Bridge {
  call<N extends Name>(name: N, input: Input<N>): Promise<Answer<Output<N>>>
  on(listener: (event: DeskEvent) => void): () => void
}

/** The one channel for calls and the one for events. */
export const callChannel = 'desk:call'
export const eventChannel = 'desk:event'
