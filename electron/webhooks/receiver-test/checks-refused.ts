import { limits } from '../../../shared/api/limits.ts'
import { secretPrefixes } from '../../../shared/api/redact.ts'
import { second } from '../../../shared/time.ts'
import type { Posted } from '../subscriptions/post.ts'
import type { Check } from './checks-taken.ts'
import type { Alteration, Driver } from './driver.ts'
import { type Judged, judgeRefused, unknown } from './judge.ts'
import { throwawaySecret } from './throwaway-secret.ts'

/** A minute past the tolerance, since the receiver's clock may differ. */
const staleS = limits.webhookDelivery.toleranceMs / second + 60
const signature = 'X-Svc-Signature'

const withSignature =
  (change: (value: string) => string) =>
  ({ headers, body }: Posted): Posted => ({ body, headers: { ...headers, [signature]: change(headers[signature] ?? '') } })

const without = ({ headers, body }: Posted): Posted => ({ body, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== signature)) })

const withBody =
  (change: (text: string) => string) =>
  ({ headers, body }: Posted): Posted => ({ headers, body: Buffer.from(change(Buffer.from(body).toString())) })

const otherDigit = (value: string) => `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`

async function refusing(driver: Driver, what: string, alterations: readonly Alteration[]): Promise<Judged> {
  const all = []
  for (const alteration of alterations) all.push(await driver.forge(driver.event('order.filled'), alteration))
  return judgeRefused(all, what)
}

/** The signature with another key than the whole secret. A receiver that takes it cuts the secret's beginning off. */
export const wholeSecretCheck: Check = {
  id: 'whole_secret',
  title: 'Verifies with the whole secret',
  rule: 'HOOK-06',
  async run(driver) {
    const secret = driver.secret.reveal()
    if (!secret.startsWith(secretPrefixes.webhook)) return unknown(`the secret does not begin with ${secretPrefixes.webhook}`)
    const cut = secret.slice(secretPrefixes.webhook.length)
    return refusing(driver, `signed without the ${secretPrefixes.webhook} of the secret`, [{ what: 'signed without the beginning of the secret', secret: cut }])
  },
}

/** What must not be taken for the service's. */
export const refusedChecks: readonly Check[] = [
  {
    id: 'no_signature',
    title: 'Refuses a delivery without a signature',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'without a signature', [
        { what: 'no X-Svc-Signature', change: without },
        { what: 'X-Svc-Signature is v1= alone', change: withSignature(() => 'v1=') },
      ]),
  },
  {
    id: 'wrong_signature',
    title: 'Refuses a wrong signature',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'a wrong signature', [
        { what: 'the last digit of the signature changed', change: withSignature(otherDigit) },
        { what: 'the signature is all zeros', change: withSignature(() => `v1=${'0'.repeat(64)}`) },
      ]),
  },
  {
    id: 'wrong_secret',
    title: 'Refuses the signature of another secret',
    rule: 'HOOK-06',
    run: (driver) => refusing(driver, 'signed with another secret', [{ what: 'signed with another secret', secret: throwawaySecret().reveal() }]),
  },
  wholeSecretCheck,
  {
    id: 'changed_body',
    title: 'Refuses a body that was changed',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'a body that was changed after it was signed', [
        { what: 'a value of the body changed', change: withBody((text) => text.replace('250.00', '950.00')) },
        { what: 'a space added to the body', change: withBody((text) => text.replace('{', '{ ')) },
      ]),
  },
  {
    id: 'changed_timestamp',
    title: 'Refuses a timestamp that was changed',
    rule: 'HOOK-06',
    run: (driver) =>
      refusing(driver, 'an old delivery with a new timestamp', [
        {
          what: 'signed with an old timestamp, sent with a new one',
          ageS: staleS,
          change: ({ headers, body }) => ({ body, headers: { ...headers, 'X-Svc-Timestamp': String(Number(headers['X-Svc-Timestamp']) + staleS) } }),
        },
      ]),
  },
  {
    id: 'stale',
    title: 'Refuses an old delivery',
    rule: 'HOOK-06',
    run: (driver) => refusing(driver, `signed ${staleS} s ago`, [{ what: `the timestamp is ${staleS} s old, rightly signed`, ageS: staleS }]),
  },
  {
    id: 'id_mismatch',
    title: 'Refuses a header id that is not the body’s',
    rule: 'HOOK-05',
    async run(driver) {
      const other = driver.event('order.filled').id
      // The header is not signed: with another one an old delivery could come as a new event.
      const what = 'X-Svc-Event-ID is not the id of the body'
      return refusing(driver, what, [{ what, change: ({ headers, body }) => ({ body, headers: { ...headers, 'X-Svc-Event-ID': other } }) }])
    },
  },
]
