import { readCallbackUrl } from '../../../../shared/webhooks/callback-url.ts'
import { defaultEvents, everyEvent } from '../../../../shared/webhooks/events.ts'

export interface NewWebhookState {
  readonly url: string
  readonly every: boolean
  /** Ticked one by one; kept while `every` holds, so that taking it off finds them again. */
  readonly events: readonly string[]
}

export const initialNewWebhook: NewWebhookState = { url: '', every: false, events: defaultEvents }

export interface NewWebhookCheck {
  /** For the field; null: nothing is wrong with it. */
  readonly url: string | null
  readonly events: string | null
  /** On this computer, which practice alone takes. */
  readonly loopback: boolean
  readonly request: { readonly url: string; readonly events: string[] } | null
}

export function readNewWebhook({ url: typed, every, events }: NewWebhookState, practice: boolean): NewWebhookCheck {
  const url = readCallbackUrl(typed, { practice })
  const chosen = every ? [everyEvent] : [...events]
  const none = chosen.length === 0 ? 'Choose at least one. Nothing is sent unless it is subscribed to.' : null
  return {
    url: url.ok ? null : url.failure,
    events: none,
    loopback: url.ok && url.value.loopback,
    request: url.ok && none === null ? { url: url.value.url, events: chosen } : null,
  }
}

export const toggleEvent = (events: readonly string[], name: string, on: boolean): readonly string[] =>
  on ? [...events, name] : events.filter((one) => one !== name)
