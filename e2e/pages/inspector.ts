import { createHmac } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const pastedField = (page: Page): Locator => page.getByRole('textbox', { name: /^Paste the delivery as received/ })

export const checks = (page: Page): Locator => page.getByRole('region', { name: 'Checks' })

export async function openInspector(page: Page): Promise<void> {
  await goTo(page, 'Webhooks')
  await page.getByRole('tab', { name: 'Inspector' }).click()
  await expect(pastedField(page)).toBeVisible()
}

interface Delivered {
  readonly secret: string
  readonly body: string
  /** The delivery’s time in Unix seconds. */
  readonly timestampS: number
  readonly event?: string
  readonly id?: string
}

type Header = readonly [name: string, value: string]

/** The headers of a delivery as the service sends them. The signature comes from Node’s own HMAC, independent of the product’s code. */
export function deliveredHeaders({ secret, body, timestampS, event = 'order.filled', id = 'evt_9f21' }: Delivered): readonly Header[] {
  const mac = createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex')
  return [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'Svc-DEX-Webhook/1.0'],
    ['X-Svc-Event', event],
    ['X-Svc-Event-ID', id],
    ['X-Svc-Timestamp', String(timestampS)],
    ['X-Svc-Signature', `v1=${mac}`],
  ]
}

export const asHeaders = (headers: readonly Header[], body: string): string =>
  ['POST /hooks HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n')

export const asCurlCommand = (headers: readonly Header[], body: string): string =>
  [`curl 'http://127.0.0.1:4000/hooks'`, ...headers.map(([name, value]) => `  -H '${name}: ${value}'`), `  --data-raw '${body.replaceAll("'", `'\\''`)}'`].join(
    ' \\\n',
  )

export const asHar = (deliveries: readonly { readonly headers: readonly Header[]; readonly body: string }[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      entries: deliveries.map(({ headers, body }) => ({
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:4000/hooks',
          headers: headers.map(([name, value]) => ({ name, value })),
          postData: { mimeType: 'application/json', text: body },
        },
      })),
    },
  })
