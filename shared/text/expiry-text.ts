import type { ExpiryItem } from '../ipc/keys/expiry.ts'
import { shortAddress } from '../signing/wording.ts'
import { catalogue } from './catalogue.ts'

/** Texts about keys, grants and sign-ins that expire, for the window, notices and the calendar file. */
export const expiryWords = catalogue('expiry', {
  agent: (key: string) => `Agent of ${key}`,
  agent_at: (key: string, address: string) => `Agent of ${key}, ${address}`,
  sign_in: 'Your sign-in',

  key_stops: 'Every call with this key: the bots that use it, and the reads and orders of this app.',
  grant_stops: 'The agent may no longer trade for you. The key itself still works.',
  sign_in_stops: 'Managing keys and webhooks. Trading continues without a sign-in.',

  untold: 'The service did not give an expiry date.',
  listed: 'From the service’s latest list.',
  signed_here: 'From the grant that you signed here.',
  signed_elsewhere: 'Signed elsewhere. A grant never outlives its key.',
  signed_elsewhere_endless: 'Signed elsewhere, and the key’s own expiry is unknown.',
  from_sign_in: 'From the service, when you signed in.',

  show_key: 'Show',
  extend: 'Extend',
  renew_grant: 'Renew',
  sign_in_again: 'Sign in again',

  ended: (what: string) => `${what} has expired`,
  ends_in: (what: string, duration: string) => `${what} expires in ${duration}`,
  calendar_key: (label: string) => `API key ${label} expires`,
  calendar_other: (what: string) => `${what} expires`,
  calendar_hint: (stops: string) => `${stops} Open Svc Desk to renew in time.`,
})

export const agentTitle = (label: string, agent: string | null): string =>
  agent === null ? expiryWords.agent(label) : expiryWords.agent_at(label, shortAddress(agent))

export function expiryTitle({ kind, label, agent }: Pick<ExpiryItem, 'kind' | 'label' | 'agent'>): string {
  switch (kind) {
    case 'key':
      return label
    case 'grant':
      return agentTitle(label, agent)
    case 'sign_in':
      return expiryWords.sign_in
  }
}

/** Returns a sentence about what stops working when a key, grant or sign-in expires. */
export const expiryStops = (kind: ExpiryItem['kind']): string => expiryWords[`${kind}_stops`]

/** Returns a sentence about how the app knows when a key, grant or sign-in expires. */
export const expirySource = (source: ExpiryItem['source']): string => (source === 'sign_in' ? expiryWords.from_sign_in : expiryWords[source])

export const expiryAction = (kind: NonNullable<ExpiryItem['action']>['kind']): string => (kind === 'sign_in' ? expiryWords.sign_in_again : expiryWords[kind])

/** The title and text of a reminder in the calendar file. */
export const expiryReminder = (item: Pick<ExpiryItem, 'kind' | 'label' | 'agent'>): { readonly title: string; readonly text: string } => ({
  title: item.kind === 'key' ? expiryWords.calendar_key(item.label) : expiryWords.calendar_other(expiryTitle(item)),
  text: expiryWords.calendar_hint(expiryStops(item.kind)),
})
