import { isLiveKey } from '../../../shared/live-key.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { ShelfKey } from '../../keys/key-shelf.ts'
import { readOwn } from '../../webhooks/lab/own-url.ts'
import type { ShelfWebhook } from '../../webhooks/subscriptions/webhook-shelf.ts'
import { type Refusal, refusal } from './refusal.ts'

export interface KnownProfile {
  readonly id: string
  readonly name: string
  readonly kind: 'practice' | 'live'
}

/** By id or name; without one the profile that was open last. */
export function chooseProfile(profiles: readonly KnownProfile[], wanted: string | null, activeId: string | null): Result<KnownProfile, Refusal> {
  const fits = wanted === null ? profiles.filter(({ id }) => id === activeId) : profiles.filter(({ id, name }) => id === wanted || name === wanted)
  const [found, ...more] = fits
  if (found !== undefined && more.length === 0) return ok(found)
  if (found !== undefined)
    return fail(refusal('usage', `Several profiles are called ${wanted}. Give one of their ids: ${fits.map(({ id }) => id).join(', ')}.`))
  if (wanted === null) return fail(refusal('missing', 'No exchange is chosen in Svc Desk. Choose one there, or name it with --profile.'))
  return fail(refusal('missing', `There is no profile ${wanted}. There are: ${profiles.map(({ name }) => name).join(', ')}.`))
}

/** By id or label, among the keys whose secret is here. A label that several keys have means the one that still works. */
export function chooseKey(keys: readonly ShelfKey[], wanted: string, nowMs: number): Result<ShelfKey, Refusal> {
  const byId = keys.find(({ keyId }) => keyId === wanted)
  const fits = byId === undefined ? keys.filter(({ label }) => label === wanted) : [byId]
  if (fits.length === 0) return fail(refusal('missing', `There is no key ${wanted} whose secret is on this computer. \`svc-desk keys list\` shows them.`))
  const working = fits.filter((key) => isLiveKey(key) && (key.expiresAtMs === null || key.expiresAtMs > nowMs))
  const [found, ...more] = working
  if (found !== undefined && more.length === 0) return ok(found)
  if (found !== undefined)
    return fail(refusal('usage', `Several keys are called ${wanted}. Give one of their ids: ${working.map(({ keyId }) => keyId).join(', ')}.`))
  return fail(refusal('missing', `The key ${wanted} does not work any more: it is ${fits[0]?.status === 'revoked' ? 'revoked' : 'expired'}.`))
}

/** By id or URL, among the webhooks whose signing secret is here; without one the only one, or the only one that goes to this computer. */
export function chooseWebhook(webhooks: readonly ShelfWebhook[], wanted: string | null): Result<ShelfWebhook, Refusal> {
  if (wanted === null) return onlyWebhook(webhooks)
  const fits = webhooks.filter(({ webhookId, url }) => webhookId === wanted || url === wanted)
  const [found, ...more] = fits
  if (found === undefined)
    return fail(refusal('missing', `There is no webhook ${wanted} whose signing secret is on this computer. Its page in Svc Desk says which are.`))
  return more.length === 0
    ? ok(found)
    : fail(refusal('usage', `Several webhooks go to ${wanted}. Give one of their ids: ${fits.map(({ webhookId }) => webhookId).join(', ')}.`))
}

function onlyWebhook(webhooks: readonly ShelfWebhook[]): Result<ShelfWebhook, Refusal> {
  const here = webhooks.filter(({ url }) => readOwn(url) !== null)
  const [only, ...more] = here.length === 1 ? here : webhooks
  if (only === undefined)
    return fail(
      refusal('missing', 'No webhook has its signing secret on this computer. Make one in Svc Desk, or name a variable that holds a secret with --secret-env.'),
    )
  if (more.length === 0) return ok(only)
  return fail(
    refusal('usage', `There are several webhooks. Name one with --webhook: ${webhooks.map(({ url, webhookId }) => `${url} (${webhookId})`).join(', ')}.`),
  )
}
