import type { LabSettings, LabState } from '../../../../shared/ipc/webhooks/receiver-lab.ts'

/** The form, as typed. */
export interface LabSetup {
  readonly webhookId: string
  readonly port: string
  readonly path: string
  readonly forwardTo: string
  readonly as: 'fixed' | 'forwarded'
  readonly status: string
  readonly delayS: string
}

/** Where deliveries are received when nobody says otherwise, as `svc-desk listen` has it. */
export const usualPlace = { port: '4807', path: '/deliveries' } as const

const loopback = /^(localhost|.*\.localhost|\[::1\]|127(\.\d{1,3}){3})$/

/** Where a webhook's own URL points to on this computer; null: elsewhere. */
export function placeOf(url: string): { readonly port: string; readonly path: string } | null {
  const read = URL.parse(url)
  return read !== null && read.protocol === 'http:' && loopback.test(read.hostname) ? { port: read.port || '80', path: read.pathname } : null
}

interface Kept {
  readonly id: string
  readonly url: string
}

/**
 * As it was the last time; for a webhook that is not among those kept, one with its address stands in. The first time a webhook that points to
 * this computer, as those of practice can.
 */
export function firstSetup({ settings }: Pick<LabState, 'settings'>, kept: readonly Kept[]): LabSetup {
  if (settings !== null) {
    const { answer } = settings
    const fixed = answer.kind === 'fixed' ? answer : { status: 200, delayS: 0 }
    const { port, path, forwardTo } = settings
    const webhookId = (kept.find(({ id }) => id === settings.webhookId) ?? kept.findLast(({ url }) => url === settings.webhookUrl))?.id ?? ''
    return { webhookId, port: String(port), path, forwardTo: forwardTo ?? '', as: answer.kind, status: String(fixed.status), delayS: String(fixed.delayS) }
  }
  const here = kept.findLast(({ url }) => placeOf(url) !== null) ?? kept[0]
  const place = (here === undefined ? null : placeOf(here.url)) ?? usualPlace
  return { webhookId: here?.id ?? '', ...place, forwardTo: '', as: 'fixed', status: '200', delayS: '0' }
}

const whole = (text: string, from: number, to: number): number | null =>
  /^\d{1,5}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : null

/** As people type it: `localhost:3000/hook`. */
const withScheme = (url: string): string => (/^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`)

/** What is wrong, by field; `request` null: something is. */
export function readSetup(setup: LabSetup): { readonly issues: Partial<Record<keyof LabSetup, string>>; readonly request: LabSettings | null } {
  const { webhookId, path, as } = setup
  const port = whole(setup.port, 1, 65_535)
  const status = whole(setup.status, 200, 599)
  const delayS = whole(setup.delayS, 0, 60)
  const forwardTo = setup.forwardTo.trim() === '' ? null : withScheme(setup.forwardTo.trim())
  const issues = {
    ...(webhookId === '' && { webhookId: 'Choose the webhook whose deliveries are to come.' }),
    ...(port === null && { port: 'From 1 to 65535.' }),
    ...(!path.startsWith('/') && { path: 'It begins with a slash.' }),
    ...(as === 'forwarded' && forwardTo === null && { forwardTo: 'To answer as your endpoint does, name it.' }),
    ...(as === 'fixed' && status === null && { status: 'From 200 to 599.' }),
    ...(as === 'fixed' && delayS === null && { delayS: 'From 0 to 60.' }),
  }
  if (Object.keys(issues).length > 0 || port === null) return { issues, request: null }
  const answer = as === 'forwarded' ? ({ kind: 'forwarded' } as const) : ({ kind: 'fixed', status: status ?? 200, delayS: delayS ?? 0 } as const)
  return { issues, request: { webhookId, port, path, forwardTo, answer } }
}
